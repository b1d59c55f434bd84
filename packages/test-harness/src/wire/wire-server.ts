/// <reference lib="esnext.disposable" preserve="true" />
import type { Exchange, WireJournal } from './journal.ts'
import { listen } from './listen.ts'
import { prepareScript } from './prepared-script.ts'
import { ServerDesk } from './server-desk.ts'
import type { WireScriptSource } from './wire-script.ts'

/** Where a server listens, and what happens around each of its answers. */
export interface ServerOptions {
  /** 0 or absent: any free port. */
  readonly port?: number
  /** Waits between the chunks of a slow line; absent: in real time. */
  readonly wait?: (milliseconds: number) => Promise<void>
  /** The time in milliseconds, by which cached prompts expire; absent: the clock's. */
  readonly now?: () => number
  /**
   * Called for every request to a model before any part of its answer is sent, and after all of it was sent; a promise
   * delays the server. `drop`, before, closes the connection without an answer.
   */
  readonly boundary?: (moment: 'before' | 'after', exchange: Exchange) => BoundaryAnswer | Promise<BoundaryAnswer>
}

/** The decision of `boundary` about an answer: send it, or close the connection. */
export type BoundaryAnswer = void | 'drop'

/** One script, or several by name. */
export type WireServerOptions = ServerOptions &
  (WireScriptSource | { readonly scripts: Readonly<Record<string, WireScriptSource>> })

/** A server on 127.0.0.1 that answers agents like a model provider. */
export interface WireServer extends AsyncDisposable {
  /** Without a trailing slash. OpenAI's clients need `/v1` appended, Anthropic's and Ollama's do not. */
  readonly url: string
  /** The URL of a script, with which no key is needed. */
  urlFor(script: string): string
  /** Every request to a model, of any script, in its current state. */
  readonly requests: readonly Exchange[]
  /** Settles when this many requests to models have arrived. */
  untilAsked(count: number): Promise<void>
  /** Settles when no request is being answered. */
  untilIdle(): Promise<void>
  /** Of this script; absent: of the only one. */
  journal(script?: string): WireJournal
  /** Of every script. */
  journals(): readonly WireJournal[]
  /** Everything that deviated from the scripts; empty when `assertDone` would pass. */
  problems(): readonly string[]
  /** Throws unless every line was used, every request had a line, and none broke a rule. */
  assertDone(): void
  /** Settles when the server is closed. */
  readonly closed: Promise<void>
  close(): Promise<void>
}

/** Starts a server with a script. It is closed by `close` or `await using`. */
export async function wireServer(options: WireServerOptions): Promise<WireServer> {
  const { port = 0, wait, boundary, now, ...source } = options
  const sources = 'scripts' in source ? source.scripts : { [onlyScript]: source }
  const desk = new ServerDesk(
    Object.entries(sources).map(([name, script]) => prepareScript(name, script)),
    { wait, boundary, now },
  )
  const { url, closed, close } = await listen(port, (request, response) => desk.take(request, response))
  void desk.stopped.then(close)
  return {
    url,
    urlFor: (script) => `${url}/${desk.nameOf(script)}`,
    get requests() {
      return desk.requests
    },
    untilAsked: (count) => desk.untilAsked(count),
    untilIdle: () => desk.untilIdle(),
    journal: (script) => desk.journal(script),
    journals: () => desk.journals(),
    problems: () => desk.problems(),
    assertDone() {
      const problems = desk.problems()
      if (problems.length > 0) throw new Error(problems.join('\n'))
    },
    closed,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** The name of a script without a name. */
const onlyScript = 'default'
