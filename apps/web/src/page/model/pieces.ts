import { isSessionEvent, type StoredEvent } from '@loader/session-core'

// Most events of a session that is followed are pieces of answers: some words, and a place and a time around them that take
// several times as much memory. The whole answer comes after them, so that they are only looked at again where one steps
// through a session. Of pieces that follow one another, the words are kept as one text, and the rest as numbers.

type Words = 'text' | 'reasoning'

/** Pieces of one answer that follow one another. */
class Run {
  readonly requestId: string
  readonly words: Words
  readonly first: number
  readonly start: number
  /** All words, and where those of each piece end. */
  text = ''
  readonly ends: number[] = []
  /** When each came, in milliseconds after the first. */
  readonly times: number[] = []

  constructor(requestId: string, words: Words, { seq, at }: StoredEvent) {
    this.requestId = requestId
    this.words = words
    this.first = seq
    this.start = Date.parse(at)
  }
}

/** One of them, which reads as the event that it was. */
class Piece {
  readonly #run: Run
  readonly #index: number

  constructor(run: Run, index: number) {
    this.#run = run
    this.#index = index
  }

  get type(): string {
    return 'answer.progressed'
  }

  get seq(): number {
    return this.#run.first + this.#index
  }

  get at(): string {
    return new Date(this.#run.start + (this.#run.times[this.#index] ?? 0)).toISOString()
  }

  get requestId(): string {
    return this.#run.requestId
  }

  get text(): string | undefined {
    return this.#wordsAs('text')
  }

  get reasoning(): string | undefined {
    return this.#wordsAs('reasoning')
  }

  toJSON(): object {
    const { type, seq, at, requestId } = this
    return { type, seq, at, requestId, [this.#run.words]: this.#wordsAs(this.#run.words) }
  }

  #wordsAs(words: Words): string | undefined {
    const { ends, text, words: own } = this.#run
    return words === own ? text.slice(ends[this.#index - 1] ?? 0, ends[this.#index]) : undefined
  }
}

/** Makes compact forms of the pieces of answers, and leaves every other event as it is. */
export class Pieces {
  #run: Run | null = null

  kept(event: StoredEvent): StoredEvent {
    const piece = pieceOf(event)
    if (piece === undefined) {
      this.#share(event)
      this.#run = null
      return event
    }
    const { requestId, words, said } = piece
    const run = this.#runFor(event, requestId, words)
    run.text += said
    run.ends.push(run.text.length)
    run.times.push(Date.parse(event.at) - run.start)
    return new Piece(run, run.ends.length - 1) as object as StoredEvent
  }

  /** The whole answer mostly is what its pieces have said: then the text is kept once. */
  #share(event: StoredEvent): void {
    if (this.#run === null || !isSessionEvent(event) || event.type !== 'model.answered') return
    for (const part of event.content)
      if (part.type === 'text' && part.text === this.#run.text) this.#run.text = part.text
  }

  #runFor(event: StoredEvent, requestId: string, words: Words): Run {
    const run = this.#run
    const follows = run?.requestId === requestId && run.words === words && event.seq === run.first + run.ends.length
    if (follows) return run
    this.#run = new Run(requestId, words, event)
    return this.#run
  }
}

/** A piece of an answer that says nothing that its compact form would lose. */
function pieceOf(event: StoredEvent): { requestId: string; words: Words; said: string } | undefined {
  if (event.type !== 'answer.progressed') return undefined
  const { requestId, text, reasoning, ...rest } = event as StoredEvent & Readonly<Record<string, unknown>>
  const [words, said] = typeof text === 'string' ? (['text', text] as const) : (['reasoning', reasoning] as const)
  const isPlain = Object.keys(rest).length === 3 && (text === undefined || reasoning === undefined)
  if (!isPlain || typeof requestId !== 'string' || typeof said !== 'string') return undefined
  const at = Date.parse(event.at)
  return !Number.isNaN(at) && new Date(at).toISOString() === event.at ? { requestId, words, said } : undefined
}
