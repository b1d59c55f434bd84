import type { AgentEvent } from '@loader/agent'
import { inLines, inOneLine } from '@loader/readings'
import type { Seen } from '../screen/seen.ts'
import type { Glyphs } from '../screen/glyphs.ts'
import type { Paint } from '../screen/paint.ts'
import { cut, wrap } from '../screen/width.ts'

const mostKept = 4_000
/** Rows of the output of what runs alone. */
const mostOutput = 3

interface LiveLook {
  readonly paint: Paint
  readonly glyphs: Glyphs
  readonly columns: number
}

interface RunningCall {
  readonly title: string
  readonly tool: string
  output: string
}

/** The current activity: a status text, the calls that run, and the end of their output. */
export class LiveWork {
  #doing = ''
  #status = ''
  /** Thoughts of the model, or the output of a check. */
  #output = ''
  readonly #calls = new Map<string, RunningCall>()

  get doing(): string {
    const [first, ...others] = this.#calls.values()
    if (first === undefined || this.#doing !== '') return this.#doing
    return others.length === 0 ? `running ${first.tool}` : `running ${others.length + 1} calls`
  }

  /** What the model reported while the user waited for it. */
  get status(): string {
    return this.#status
  }

  /** Rows of what runs: each call above the end of its output, or what the model thinks. */
  rows(most: number, { paint, glyphs, columns }: LiveLook): string[] {
    const calls = [...this.#calls.values()]
    const dim = (indent: string, text: string, count: number) =>
      lastLines(text, columns - 1 - indent.length, count).map((line) => `${indent}${paint('dim', line)}`)
    if (calls.length === 0) return dim('    ', this.#output, Math.min(most, mostOutput))
    const each = Math.max(0, Math.min(mostOutput, Math.floor(most / calls.length) - 1))
    const shown = calls.length > most ? calls.slice(0, most - 1) : calls
    const more = calls.length - shown.length
    return [
      ...shown.flatMap(({ title, output }) => [
        `${paint('cyan', glyphs.call)} ${cut(inOneLine(title), columns - 3)}`,
        ...dim('    ', output, each),
      ]),
      ...(more > 0 ? [paint('dim', `  and ${more} more`)] : []),
    ]
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
        this.#begin('')
        // A question is shown as one.
        if (seen.isQuestion(event.callId)) return
        this.#calls.set(event.callId, { title: seen.title(event.callId), tool: seen.tool(event.callId), output: '' })
        return
      case 'check.started':
        return this.#begin(`checking ${event.command}`)
      case 'delta.output': {
        const call = this.#calls.get(event.callId)
        if (call !== undefined) call.output = `${call.output}${event.text}`.slice(-mostKept)
        return
      }
      case 'delta.check':
        return this.#add(event.text)
      case 'wait.started':
        return this.#begin(`waiting: ${event.why}`)
      case 'question.asked':
        return this.#begin('waiting for you')
      case 'stop.requested':
        return this.#begin('stopping')
      case 'tool.finished':
        this.#calls.delete(event.callId)
        return this.#begin('')
      case 'turn.finished':
        this.#calls.clear()
        return this.#begin('')
      case 'question.answered':
      case 'wait.finished':
      case 'check.finished':
      case 'model.answered':
      case 'model.failed':
      case 'model.interrupted':
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

/** The last lines of a text that are not blank. */
function lastLines(text: string, width: number, most: number): string[] {
  if (most < 1) return []
  return inLines(text)
    .filter((line) => line.trim() !== '')
    .flatMap((line) => wrap(line, width))
    .slice(-most)
}
