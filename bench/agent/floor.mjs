// The least that an agent can do and still have its turns on the disk: messages in an array, a line of JSON for each
// turn, one fdatasync. No session, no permits, no looking before acting, no prompt that follows the state, no recovery:
// whatever dies between two turns is gone. What the real one costs is measured beside it.
import fs from 'node:fs'
import { join } from 'node:path'

export class FloorAgent {
  #messages = []
  #file
  #position = 0
  #tools
  #model
  #system

  constructor({ directory, name, model, tools, system }) {
    this.#file = fs.openSync(join(directory, `${name}.jsonl`), 'w')
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]))
    this.#model = model
    this.#system = system
  }

  /** Begins with the words of the user. */
  begin(text) {
    this.#messages.push({ role: 'user', content: text })
    this.#store(this.#messages)
  }

  /** One turn: asks, runs the calls of the answer, and stores both. False when the answer made no calls. */
  async turn() {
    const answer = await this.#ask()
    const before = this.#messages.length
    this.#messages.push({ role: 'assistant', content: answer.content })
    const calls = answer.content.filter((part) => part.type === 'call')
    for (const { call } of calls) {
      this.#messages.push({ role: 'tool', callId: call.id, content: await this.#run(call) })
    }
    this.#store(this.#messages.slice(before))
    return calls.length > 0
  }

  close() {
    fs.closeSync(this.#file)
  }

  async #ask() {
    const request = {
      system: this.#system,
      messages: [...this.#messages],
      tools: [...this.#tools.values()].map(({ name, description, schema }) => ({ name, description, schema })),
    }
    for await (const event of this.#model.stream(request)) {
      if (event.type === 'done') return event
    }
    throw new Error('The answer ended before it was complete.')
  }

  async #run({ name, input }) {
    const tool = this.#tools.get(name)
    if (tool === undefined) return `There is no tool called ${name}.`
    try {
      return await tool.run(input)
    } catch (error) {
      return `${name} failed: ${error.message}`
    }
  }

  #store(messages) {
    const line = Buffer.from(`${JSON.stringify({ at: new Date().toISOString(), messages })}\n`)
    this.#position += fs.writeSync(this.#file, line, 0, line.length, this.#position)
    fs.fdatasyncSync(this.#file)
  }
}
