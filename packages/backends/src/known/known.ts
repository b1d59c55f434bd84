import { BackendError, type JsonObject, LoaderError } from '@loader/session-core'
import type * as z from 'zod/mini'
import { keepFacts, keptFacts } from './kept-facts.ts'

/** A query to a server about one of its models. */
export interface FactsQuestion<Facts extends JsonObject> {
  /** Identifies protocol, address and model. It is written to a file, so it must not contain a secret. */
  readonly key: string
  readonly schema: () => z.ZodMiniType<Facts>
  /** Asks the server. `aside`: in the background, without keeping the process alive. */
  ask(urgency: 'awaited' | 'aside'): Promise<Facts>
  /** Whether the facts contain anything; a server may report none about its models. */
  isTelling(facts: Facts): boolean
  /** Whether the first facts describe a model at least as capable as the second. */
  isAsAble(one: Facts, other: Facts): boolean
}

/**
 * The facts about a model. Looked up once: in the file that earlier processes have written, otherwise from the server.
 *
 * Facts from the file are used until the server contradicts them. It is asked by `refresh`, after a request was
 * answered, and by `renew`, after one was refused.
 */
export class Known<Facts extends JsonObject> {
  readonly #question: FactsQuestion<Facts>
  readonly #file: string | undefined
  #facts: Promise<Facts> | undefined
  /** The facts are from the file, and the server was not asked since. */
  #isOld = false

  constructor(question: FactsQuestion<Facts>, file: string | undefined) {
    this.#question = question
    this.#file = file
  }

  /** Failures are not cached: the next call asks the server again. */
  get(): Promise<Facts> {
    if (this.#facts !== undefined) return this.#facts
    const finding = this.#find()
    this.#facts = finding
    finding.catch(() => {
      this.#facts = undefined
    })
    return finding
  }

  /** Asks the server in the background, once. Call it when the first request has been sent. */
  refresh(): void {
    if (!this.#isOld) return
    this.#isOld = false
    void this.#asked('aside').then(async (facts) => {
      if (facts === undefined) return
      // A busy server may report no facts, which must not replace known ones.
      if (this.#question.isTelling(facts) || !this.#question.isTelling(await this.get())) this.#take(facts)
    })
  }

  /** Asks the server now, if it was not asked yet, and returns whether the model differs from the known one. */
  async renew(): Promise<boolean> {
    if (!this.#isOld) return false
    this.#isOld = false
    const before = await this.get()
    const facts = await this.#asked('awaited')
    if (facts === undefined) return false
    this.#take(facts)
    return !this.#question.isAsAble(before, facts)
  }

  async #find(): Promise<Facts> {
    const kept = this.#file === undefined ? undefined : await keptFacts(this.#file, this.#question.key)
    const facts = kept && this.#question.schema().safeParse(kept).data
    this.#isOld = facts !== undefined
    if (facts !== undefined) return facts
    const found = await this.#question.ask('awaited')
    this.#keep(found)
    return found
  }

  /** Undefined when the server cannot be asked. */
  async #asked(urgency: 'awaited' | 'aside'): Promise<Facts | undefined> {
    try {
      return await this.#question.ask(urgency)
    } catch (error) {
      if (error instanceof BackendError || LoaderError.is(error)) return undefined
      throw error
    }
  }

  #take(facts: Facts): void {
    this.#facts = Promise.resolve(facts)
    this.#keep(facts)
  }

  #keep(facts: Facts): void {
    if (this.#file !== undefined) void keepFacts(this.#file, this.#question.key, facts)
  }
}
