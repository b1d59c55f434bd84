import { Agent } from './agent.ts'
import type { AgentOptions } from './agent-options.ts'

/** The session owner of programs with their own interface. It differs from Agent only in its recorded name. */
export class RuntimeHandle extends Agent {
  constructor(options: AgentOptions) {
    super(options, 'RuntimeHandle')
  }
}
