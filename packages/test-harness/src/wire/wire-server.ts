/// <reference lib="esnext.disposable" preserve="true" />
import type { Exchange, Journal } from './journal.ts'
import { listen } from './listen.ts'
import { prepareScript } from './prepared-script.ts'
import { ServerDesk } from './server-desk.ts'
import type { WireScriptSource } from './wire-script.ts'

/** Where a server listens, and what happens around each of its answers. */
export interface ServerOptions {
  /** 0, or absent: any that is free. */
  readonly port?: number
  /** How time passes between the chunks of a line that drips; absent: as it does. */
  readonly wait?: (milliseconds: number) => Promise<void>
  /**
   * Is told of every request to a model before anything of its answer is sent, and after all of it was sent; a promise
   * holds the server back. `drop`, before, closes the connection without an answer.
   */
  readonly boundary?: (moment: 'before' | 'after', exchange: Exchange) => BoundaryAnswer | Promise<BoundaryAnswer>
}

/** What `boundary` decides about an answer: send it, or close the connection. */
export type BoundaryAnswer = void | 'drop'

/** One script, or several by name. */
export type WireServerOptions = ServerOptions &
  (WireScriptSource | { readonly scripts: Readonly<Record<string, WireScriptSource>> })

/** A server on 127.0.0.1 that speaks to agents as a model's provider would. */
export interface WireServer extends AsyncDisposable {
  /** Without a slash at its end. OpenAI's clients want `/v1` behind it, Anthropic's and Ollama's do not. */
  readonly url: string
  /** Where a script is found without its key. */
  urlFor(script: string): string
  /** Every request to a model, of any script, as it stands now. */
  readonly requests: readonly Exchange[]
  /** Settles when so many requests to models have come in. */
  untilAsked(count: number): Promise<void>
  /** Settles when no request is being answered. */
  untilIdle(): Promise<void>
  /** Of this script; absent: of the only one. */
  journal(script?: string): Journal
  /** Of every script. */
  journals(): readonly Journal[]
  /** What went another way than the scripts say; empty when `assertDone` is content. */
  problems(): readonly string[]
  /** Throws unless every line was asked for, no request came without a line, and none broke a rule. */
  assertDone(): void
  /** Settles when the server is closed. */
  readonly closed: Promise<void>
  close(): Promise<void>
}

/** Starts a server with a script. It is closed by `close` or `await using`. */
export async function wireServer(options: WireServerOptions): Promise<WireServer> {
  const { port = 0, wait, boundary, ...source } = options
  const sources = 'scripts' in source ? source.scripts : { [onlyScript]: source }
  const desk = new ServerDesk(
    Object.entries(sources).map(([name, script]) => prepareScript(name, script)),
    { wait, boundary },
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

/** How a script is called that has no name. */
const onlyScript = 'default'
