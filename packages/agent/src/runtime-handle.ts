import { Agent, type AgentOptions } from './agent.ts'

/** The owner of sessions that programs with an interface of their own use. It differs from Agent in its name alone. */
export class RuntimeHandle extends Agent {
  constructor(options: AgentOptions) {
    super(options, 'RuntimeHandle')
  }
}
