import { BackendError, type JsonObject, LoaderError } from '@loader/session-core'
import type * as z from 'zod'
import { keepFacts, keptFacts } from './kept-facts.ts'

/** A question to a server about one of its models. */
export interface Question<Facts extends JsonObject> {
  /** Names protocol, address and model. It is written to a file, so it must hold no secret. */
  readonly key: string
  readonly schema: () => z.ZodType<Facts>
  /** Asks the server. `aside`: nobody waits for the answer, and it must not keep the process alive. */
  ask(urgency: 'awaited' | 'aside'): Promise<Facts>
  /** Whether these facts say anything; a server may be silent about its models. */
  isTelling(facts: Facts): boolean
  /** Whether a model of which one was said is as able as one of which the other was said. */
  isAsAble(one: Facts, other: Facts): boolean
}

/**
 * What is known of a model. It is asked for once: of the file that earlier processes have kept, else of the server.
 *
 * What comes out of the file is believed until the server says otherwise, and two things have it asked: `refresh`, when
 * a request was answered, and `renew`, when one was refused.
 */
export class Known<Facts extends JsonObject> {
  readonly #question: Question<Facts>
  readonly #file: string | undefined
  #facts: Promise<Facts> | undefined
  /** It came out of the file, and the server was not asked since. */
  #isOld = false

  constructor(question: Question<Facts>, file: string | undefined) {
    this.#question = question
    this.#file = file
  }

  /** A failure is not kept: the next one who wants to know has the server asked again. */
  get(): Promise<Facts> {
    if (this.#facts !== undefined) return this.#facts
    const finding = this.#find()
    this.#facts = finding
    finding.catch(() => {
      this.#facts = undefined
    })
    return finding
  }

  /** Asks the server, if it was not asked yet; nobody waits for it. To be called when the first request has left. */
  refresh(): void {
    if (!this.#isOld) return
    this.#isOld = false
    void this.#asked('aside').then(async (facts) => {
      if (facts === undefined) return
      // A server that is busy may be silent. That is no news.
      if (this.#question.isTelling(facts) || !this.#question.isTelling(await this.get())) this.#take(facts)
    })
  }

  /** Asks the server now, if it was not asked yet, and says whether the model is another one than was known. */
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
