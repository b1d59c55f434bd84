import { LoaderError, type StoredEvent } from '@loader/session-core'
import { aliveMs } from '../../protocol.ts'
import type { ServedSession } from '../ports/served-sessions.ts'
import { aliveFrame, frame, orTick } from './frames.ts'

export interface SessionFrames {
  readonly id: string
  /** The last event that the page has. */
  readonly after: number
  /** The time of that event, as the page has it. */
  readonly at?: string
  /** Said first of all. */
  readonly opened: object
  /** For an answer with an end: how long to wait for an event if there is none yet. */
  readonly endsAfterMs?: number
}

/** Events are put together up to this length, so that a long history is not sent in thousands of pieces. */
const together = 64 * 1024

/** How soon words are shown that a model has said. */
const wordsMs = 250

/** How soon after the last of several events it is looked how the session stands, and how often without any. */
const soonMs = 20
const standingMs = 500

type Store = ServedSession['store']

/**
 * The events of a session after one of them, each once and in order: what is there already, then what comes. Ends where
 * the session cannot be read on, or when it is told to.
 *
 * Words of an answer on its way are stored with less care than everything else: a machine that loses power takes them
 * back. So they are told apart from what is certain, and again when they are.
 */
export async function* sessionFrames(
  { store, standing }: Pick<ServedSession, 'store' | 'standing'>,
  { id, after, at, opened, endsAfterMs }: SessionFrames,
  signal: AbortSignal,
): AsyncGenerator<string> {
  yield frame({ after, ...opened }, { name: 'opened' })
  const answer = new OpenAnswer(after)
  let text = ''
  let isKnown = after === 0
  for await (const event of store.read(id, { fromSeq: Math.max(1, after), gaps: 'mark' })) {
    if (signal.aborted) return
    isKnown ||= event.seq === after && !isOther(event, at)
    if (!isKnown) break
    for (const certain of answer.see(event)) text += eventFrame(certain)
    if (text.length < together) continue
    yield text
    text = ''
  }
  if (!isKnown) return yield changedFrame(id)
  if (text !== '') yield text
  yield frame({ seq: answer.last }, { name: 'live' })
  // Words that nothing follows: the answer goes on, or was cut off here.
  const words = answer.isOpen ? await answer.wordsIn(store, id) : []
  if (words.length > 0) yield frame({ events: words }, { name: 'partial' })
  const told = new ToldStanding(standing)
  yield* told.news()
  if (endsAfterMs !== undefined && answer.last > after) return
  yield* followed(store, id, { answer, told }, endsAfterMs, signal)
}

async function* followed(
  store: Store,
  id: string,
  { answer, told }: { readonly answer: OpenAnswer; readonly told: ToldStanding },
  endsAfterMs: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<string> {
  if (store.watch === undefined) throw new LoaderError('unsupported', 'This store cannot be followed.')
  let quietMs = 0
  const tickMs = () => endsAfterMs ?? (told.isOld ? soonMs : answer.isOpen ? wordsMs : standingMs)
  for await (const item of orTick(store.watch(id, answer.last + 1, { signal }), tickMs)) {
    if (item === undefined) {
      if (endsAfterMs !== undefined) return
      quietMs += tickMs()
      for await (const news of told.news()) {
        yield news
        quietMs = 0
      }
      const words = answer.isOpen ? await answer.wordsIn(store, id) : []
      if (words.length > 0) yield frame({ events: words }, { name: 'partial' })
      else if (quietMs >= aliveMs) yield aliveFrame()
      else continue
      quietMs = 0
    } else if (item.kind === 'writer_changed') {
      yield frame({ epoch: item.epoch }, { name: 'writer' })
      told.isOld = true
    } else if (item.event.seq > answer.last) {
      yield eventFrame(answer.take(item.event))
      told.isOld = true
      quietMs = 0
      if (endsAfterMs !== undefined) return
    }
  }
}

/** How the session stood when the page was told last. */
class ToldStanding {
  /** Whether something has happened since. */
  isOld = false
  readonly #standing: ServedSession['standing']
  #told = ''

  constructor(standing: ServedSession['standing']) {
    this.#standing = standing
  }

  async *news(): AsyncGenerator<string> {
    this.isOld = false
    const now = frame(await this.#standing(), { name: 'standing' })
    if (now === this.#told) return
    this.#told = now
    yield now
  }
}

/** An answer of a model that is on its way, and how much of it the page has. */
class OpenAnswer {
  /** The last event that was sent. */
  last: number
  isOpen = false
  #held: StoredEvent[] = []
  #told: number

  constructor(after: number) {
    this.last = after
    this.#told = after
  }

  /** Events that are certain now that this one was read. Words are held until something follows them. */
  see(event: StoredEvent): readonly StoredEvent[] {
    if (event.seq <= this.last) return []
    this.#held.push(event)
    if (isWords(event)) {
      this.isOpen = true
      return []
    }
    const certain = this.#held
    this.#held = []
    for (const one of certain) this.take(one)
    return certain
  }

  take(event: StoredEvent): StoredEvent {
    this.last = event.seq
    if (event.type === 'model.asked') this.isOpen = true
    else if (!isWords(event)) this.isOpen = false
    return event
  }

  /** Words after the last event that was sent, as far as they were not told yet. */
  async wordsIn(store: Store, id: string): Promise<readonly StoredEvent[]> {
    const words: StoredEvent[] = []
    for await (const event of store.read(id, { fromSeq: this.last + 1, gaps: 'mark' })) {
      if (!isWords(event)) break
      if (event.seq > this.#told) words.push(event)
    }
    this.#told = words.at(-1)?.seq ?? this.#told
    return words
  }
}

function isWords({ type }: StoredEvent): boolean {
  return type === 'answer.progressed'
}

/** Whether this is not the event that the page has under this seq. */
function isOther({ at, type }: StoredEvent, known: string | undefined): boolean {
  return known !== undefined && type !== 'event.lost' && at !== known
}

/** The session was deleted and another one has its name, or what was not certain yet was lost with the power. */
function changedFrame(id: string): string {
  const message = `Session ${id} is not the one that this page has. Load the page again.`
  return frame({ code: 'history_changed', message }, { name: 'trouble' })
}

function eventFrame(event: StoredEvent): string {
  return frame(event, { id: event.seq })
}
