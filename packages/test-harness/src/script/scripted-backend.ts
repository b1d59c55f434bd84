import type { Backend, BackendEvent, ModelCapabilities, ModelRequest, History, Signal } from '@loader/session-core'
import * as z from 'zod'
import type { FixedEnvironment } from '../environment/environment.ts'
import { throwIfAborted } from './abort.ts'
import { withCallIds, withLineCallIds } from './call-ids.ts'
import { describeLine, describeMessage } from './describe.ts'
import { endedRequests } from './ended-requests.ts'
import { answerAboutEnd } from './how-it-ended.ts'
import { play } from './play.ts'
import { Completion, type ScriptLine } from './script.ts'
import { snapshot } from './snapshot.ts'

/** The capabilities of a scripted model, and where in its script it begins. */
export interface ScriptOptions {
  /** Continues after the answers of this history: for a second process that continues a session. */
  readonly after?: History
  /** The model's description of itself; by default `scripted/model`, with native tools. */
  readonly capabilities?: Partial<ModelCapabilities>
  /** The clock for answers that arrive slowly. */
  readonly environment?: Pick<FixedEnvironment, 'advance'>
  /** Waits between chunks, instead of moving that clock. */
  readonly wait?: (milliseconds: number) => void | Promise<void>
}

interface Settings {
  readonly capabilities: ModelCapabilities
  /** Lines that were used up before this backend was created. */
  readonly used: number
  readonly wait: ScriptOptions['wait']
}

/**
 * A model that answers with the lines of a script, keeps its requests, and fails loudly when asked too often. It
 * answers the runtime's question how a turn ended by itself, without using up a line.
 */
export class ScriptedBackend implements Backend {
  readonly #lines: readonly ScriptLine[]
  readonly #requests: ModelRequest[] = []
  #settings: Settings = settingsOf({})

  constructor(...lines: readonly ScriptLine[]) {
    this.#lines = withCallIds(lines.map(checked))
  }

  static from(lines: readonly ScriptLine[], options: ScriptOptions = {}): ScriptedBackend {
    const backend = new ScriptedBackend(...lines)
    backend.#settings = settingsOf(options)
    if (backend.#settings.used > lines.length) {
      throw new Error(
        `The history has used up ${backend.#settings.used} lines, but the script has ${lines.length}. ` +
          'Continue with the script that the history began with.',
      )
    }
    return backend
  }

  get id(): string {
    return this.#settings.capabilities.model
  }

  /** Every request as it was when it arrived, including those beyond the script. They are frozen. */
  get requests(): readonly ModelRequest[] {
    return this.#requests
  }

  stream(request: ModelRequest, { signal }: { readonly signal?: Signal } = {}): AsyncIterable<BackendEvent> {
    const aside = this.#aboutEnd(request)
    if (aside !== undefined) return play(aside, { place: 'Aside', model: this.id, signal, wait: this.#settings.wait })
    const asked = snapshot(request, this.#requests.at(-1))
    this.#requests.push(asked)
    return this.#answer(asked, this.#settings.used + this.#requests.length, signal)
  }

  async describe({ signal }: { readonly signal?: Signal } = {}): Promise<ModelCapabilities> {
    throwIfAborted(signal)
    return this.#settings.capabilities
  }

  /** Throws when a line was never asked for, or when there were more requests than lines. */
  assertDone(): void {
    const asked = this.#settings.used + this.#requests.length
    const left = this.#lines.slice(asked).map((line, at) => `\n  line ${asked + at + 1}: ${describeLine(line)}`)
    if (left.length > 0)
      throw new Error(`${left.length} of ${this.#lines.length} lines were never asked for:${left.join('')}`)
    if (asked > this.#lines.length) throw this.#tooMany(this.#lines.length + 1)
  }

  async *#answer(asked: ModelRequest, number: number, signal: Signal | undefined): AsyncGenerator<BackendEvent> {
    const line = this.#lines[number - 1]
    if (line === undefined) throw this.#tooMany(number)
    throwIfAborted(signal)
    const completion = typeof line === 'function' ? made(await line(asked, number), number) : line
    yield* play(completion, { place: `Line ${number}`, model: this.id, signal, wait: this.#settings.wait })
  }

  #aboutEnd({ messages, tools, requestId }: ModelRequest): Completion | undefined {
    const { content = [] } = messages.at(-1) ?? {}
    const lastText = content
      .map((part) => (part.type === 'text' && typeof part.text === 'string' ? part.text : ''))
      .join('\n')
    const next = this.#lines[this.#settings.used + this.#requests.length]
    return answerAboutEnd({ lastText, tools: tools.map(({ name }) => name), id: `end_${requestId}` }, next)
  }

  #tooMany(number: number): Error {
    const last = this.#requests[number - this.#settings.used - 1]?.messages.at(-1)
    return new Error(
      `Request ${number} has no line: the script has ${this.#lines.length}. ` +
        `The request ends with ${last === undefined ? 'no message' : describeMessage(last)}.`,
    )
  }
}

function settingsOf({ after = [], capabilities, environment, wait }: ScriptOptions): Settings {
  return {
    capabilities: snapshot({ model: 'scripted/model', nativeTools: true, streaming: true, ...capabilities }),
    used: endedRequests(after).length,
    wait: wait ?? (environment && ((milliseconds) => environment.advance(milliseconds))),
  }
}

function checked(line: ScriptLine, index: number): ScriptLine {
  return typeof line === 'function' ? line : parse(line, index + 1)
}

function made(line: Completion, number: number): Completion {
  return withLineCallIds(parse(line, number), number)
}

/** A frozen copy of the line, or an error that describes what is wrong with it. */
function parse(line: unknown, number: number): Completion {
  const result = Completion.safeParse(line)
  if (result.success) return snapshot(result.data)
  throw new Error(`Line ${number} of the script is wrong:\n${z.prettifyError(result.error)}`)
}
