import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { type Exchange, type ExchangeEnd, type WireJournal, journalOf, problemsOf, shownOf } from './journal.ts'
import { type Incoming, type ReplyPlan, planOf, type ScriptStanding } from './plan.ts'
import { afterSending, positionIn } from './position.ts'
import type { PreparedScript } from './prepared-script.ts'
import { noCache } from './prompt-cache/prompt-cache.ts'
import { receive } from './receive.ts'
import { jsonReply, type WireReply } from './reply.ts'
import { type Sent, sendReply } from './send-reply.ts'
import type { ServerOptions } from './wire-server.ts'

interface Options {
  readonly wait: ServerOptions['wait']
  readonly boundary: ServerOptions['boundary']
  readonly now: ServerOptions['now']
}

/** Receives requests, carries out their plans, and records the results: the only place that moves a script forward. */
export class ServerDesk {
  readonly #scripts: readonly PreparedScript[]
  readonly #standings = new Map<string, ScriptStanding>()
  readonly #exchanges: Exchange[] = []
  readonly #wait: (milliseconds: number) => Promise<void>
  readonly #boundary: ServerOptions['boundary']
  readonly #now: () => number
  /** Settles when a request asks the server to stop. */
  readonly stopped: Promise<void>
  #stop = () => {}
  /** Called after every change. */
  readonly #watchers = new Set<() => void>()

  constructor(scripts: readonly PreparedScript[], { wait, boundary, now }: Options) {
    this.#scripts = scripts
    this.#wait = wait ?? ((milliseconds) => setTimeout(milliseconds))
    this.#boundary = boundary
    this.#now = now ?? Date.now
    this.stopped = new Promise((resolve) => (this.#stop = resolve))
  }

  get requests(): readonly Exchange[] {
    return this.#exchanges.filter(({ protocol }) => protocol !== undefined)
  }

  async untilAsked(count: number): Promise<void> {
    await this.#until(() => this.requests.length >= count)
  }

  async untilIdle(): Promise<void> {
    await this.#until(() => this.#exchanges.every(({ end }) => end !== 'open'))
  }

  nameOf(name: string): string {
    return this.#find(name).name
  }

  journal(name?: string): WireJournal {
    return this.#journalOf(this.#find(name))
  }

  journals(): readonly WireJournal[] {
    return this.#scripts.map((script) => this.#journalOf(script))
  }

  /** Everything that deviated from the scripts, by script name if there are several. */
  problems(): readonly string[] {
    const orphans = this.#exchanges.filter(({ script }) => script === undefined).flatMap(problemsOf)
    const several = this.#scripts.length > 1
    const own = this.journals().flatMap(({ script, problems }) =>
      problems.map((problem) => (several ? `${script}: ${problem}` : problem)),
    )
    return [...orphans, ...own]
  }

  async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const received = await receive(request)
    if (received === undefined) return
    const { incoming, text } = received
    const plan = planOf(incoming, this.#scripts, this.#standings, this.#now())
    switch (plan.type) {
      case 'journal':
        await this.#send(this.#journalReply(plan.script), response)
        return
      case 'stop':
        await this.#send(jsonReply(200, { problems: this.problems() }), response)
        this.#stop()
        return
      default:
        await this.#answer(plan, incoming, text, response)
    }
  }

  async #answer(
    plan: Exclude<ReplyPlan, { type: 'journal' | 'stop' }>,
    incoming: Incoming,
    text: string,
    response: ServerResponse,
  ): Promise<void> {
    const at = this.#exchanges.push(exchangeOf(plan, incoming, text)) - 1
    this.#tell()
    if (plan.type !== 'chat') {
      this.#change(at, { end: endOf(await this.#send(plan.reply, response, at)) })
      return
    }
    const { script, number, outcome } = plan
    const cache = outcome.cache ?? this.#standings.get(script.name)?.cache ?? noCache
    this.#standings.set(script.name, { position: outcome.position, requests: number, cache })
    if ((await this.#boundary?.('before', this.#at(at))) === 'drop') {
      response.destroy()
      this.#change(at, { end: 'dropped' })
      return
    }
    const sent = await this.#send(outcome.reply, response, at)
    if (sent !== 'left') this.#pass(plan)
    this.#change(at, { end: endOf(sent) })
    if (sent === 'left') return
    await this.#boundary?.('after', this.#at(at))
  }

  /** After an answer was sent completely: a line that leaves no answer in the conversation is done. */
  #pass({ script, outcome: { line } }: Extract<ReplyPlan, { type: 'chat' }>): void {
    const standing = this.#standings.get(script.name)
    if (line === undefined || standing === undefined) return
    const position = afterSending(standing.position, line.completion, line.index)
    this.#standings.set(script.name, { ...standing, position })
  }

  async #send(reply: WireReply, response: ServerResponse, at?: number) {
    const decoder = new TextDecoder()
    return sendReply(reply, response, {
      wait: this.#wait,
      onSent: (bytes) => {
        if (at === undefined) return
        this.#change(at, { sent: this.#at(at).sent + decoder.decode(bytes, { stream: true }) })
      },
    })
  }

  #journalReply(script: PreparedScript | undefined): WireReply {
    if (script) return jsonReply(200, this.#journalOf(script))
    return jsonReply(200, { scripts: this.journals(), problems: this.problems() })
  }

  #journalOf(script: PreparedScript): WireJournal {
    const exchanges = this.#exchanges.filter((exchange) => exchange.script === script.name)
    const { position } = this.#standings.get(script.name) ?? { position: positionIn(script) }
    return journalOf(script, position, exchanges)
  }

  #find(name: string | undefined): PreparedScript {
    const found = name === undefined ? this.#scripts[0] : this.#scripts.find((script) => script.name === name)
    if (found && (name !== undefined || this.#scripts.length === 1)) return found
    const names = this.#scripts.map((script) => script.name).join(', ')
    throw new Error(`${name === undefined ? 'Name a script' : `There is no script ${name}`}: the server has ${names}.`)
  }

  #at(at: number): Exchange {
    const exchange = this.#exchanges[at]
    if (exchange === undefined) throw new Error(`There is no exchange ${at}.`)
    return exchange
  }

  #change(at: number, change: Partial<Exchange>): void {
    this.#exchanges[at] = { ...this.#at(at), ...change }
    this.#tell()
  }

  #tell(): void {
    for (const watcher of this.#watchers) watcher()
  }

  async #until(isReached: () => boolean): Promise<void> {
    if (isReached()) return
    await new Promise<void>((resolve) => {
      const watcher = () => {
        if (!isReached()) return
        this.#watchers.delete(watcher)
        resolve()
      }
      this.#watchers.add(watcher)
    })
  }
}

/** A client that gets no more data ends by disconnecting. */
function endOf(sent: Sent): ExchangeEnd {
  return sent === 'hung' ? 'left' : sent
}

function exchangeOf(
  plan: Exclude<ReplyPlan, { type: 'journal' | 'stop' }>,
  incoming: Incoming,
  text: string,
): Exchange {
  const { method, pathname, headers, body } = incoming
  const received = {
    script: undefined,
    method,
    path: pathname,
    headers: shownOf(headers),
    body: body === undefined ? text : body,
    violations: [],
    sent: '',
    end: 'open',
  } as const
  switch (plan.type) {
    case 'chat': {
      const { script, dialect, number, outcome } = plan
      const { request, line, violations, problem, reply } = outcome
      return {
        ...received,
        number,
        script: script.name,
        protocol: dialect,
        ...(request && { request }),
        ...(line && { line: line.index + 1 }),
        violations,
        ...(problem !== undefined && { problem }),
        status: reply.status,
      }
    }
    case 'stray':
      return { ...received, protocol: plan.dialect, violations: [plan.violation], status: plan.reply.status }
    case 'other':
      return { ...received, script: plan.script?.name, status: plan.reply.status }
    default:
      return plan satisfies never
  }
}
