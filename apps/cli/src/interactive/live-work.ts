import type { AgentEvent } from '@loader/agent'
import { inLines } from '@loader/readings'
import type { Seen } from '../screen/seen.ts'
import { wrap } from '../screen/width.ts'

const mostKept = 4_000

/** The current activity: a status text, and the end of its output. */
export class LiveWork {
  #doing = ''
  #status = ''
  #output = ''

  get doing(): string {
    return this.#doing
  }

  /** What the model reported while the user waited for it. */
  get status(): string {
    return this.#status
  }

  /** The end of the model's reasoning or of a command's output, at most so many lines. */
  lines(width: number, most: number): string[] {
    return inLines(this.#output)
      .filter((line) => line.trim() !== '')
      .flatMap((line) => wrap(line, width))
      .slice(-most)
  }

  see(event: AgentEvent, seen: Seen): void {
    switch (event.type) {
      case 'model.asked':
        return this.#begin(event.purpose === 'answer' ? 'thinking' : `writing a ${event.purpose}`)
      case 'delta.status':
        this.#begin(event.message)
        this.#status = event.message
        return
      case 'delta.reasoning':
        return this.#add(event.text)
      case 'delta.text':
        return this.#begin('answering')
      case 'delta.call':
        return this.#begin(`writing a call of ${event.name}`)
      case 'tool.started':
        return this.#begin(`running ${seen.tool(event.callId)}`)
      case 'check.started':
        return this.#begin(`checking ${event.command}`)
      case 'delta.output':
      case 'delta.check':
        return this.#add(event.text)
      case 'wait.started':
        return this.#begin(`waiting: ${event.why}`)
      case 'question.asked':
        return this.#begin('waiting for you')
      case 'stop.requested':
        return this.#begin('stopping')
      case 'question.answered':
      case 'wait.finished':
      case 'tool.finished':
      case 'check.finished':
      case 'model.answered':
      case 'model.failed':
      case 'model.interrupted':
      case 'turn.finished':
        return this.#begin('')
      default:
    }
  }

  #begin(doing: string): void {
    this.#doing = doing
    this.#status = ''
    this.#output = ''
  }

  #add(text: string): void {
    this.#output = `${this.#output}${text}`.slice(-mostKept)
  }
}
