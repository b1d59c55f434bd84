import { Counts, jsonLines } from '../source/json-lines.ts'
import { parsed, textOf } from '../source/again.ts'
import { readDocument } from '../source/document-parts.ts'
import { given } from '../source/loose.ts'
import type { SourceFile } from '../source/source-file.ts'
import { GeminiChange, Cut, GeminiMessage, Header } from './records.ts'

export interface Placed {
  readonly message: GeminiMessage
  readonly line: number
}

/** What happened to the list, in order: a message came, or everything from one of them on was taken out. */
type Step = { readonly kind: 'message'; readonly id: string } | { readonly kind: 'cut'; readonly from: string }

export interface GeminiHistory {
  readonly sessionId?: string
  readonly projectHash?: string
  readonly startTime?: string
  readonly summary?: string
  readonly steps: readonly Step[]
  readonly messages: ReadonlyMap<string, Placed>
  /** Messages that a later list lacks though others behind them stayed. */
  readonly dropped: number
}

/** Reads a list of messages that is rewritten again and again. Nothing that was ever in it is lost here. */
export function readHistory(file: SourceFile, counts: Counts): GeminiHistory {
  const ofDocument = historyOfDocument(file, counts)
  if (ofDocument !== undefined) return ofDocument
  const reader = new Reader()
  for (const { line, value } of jsonLines(file, counts)) if (!reader.take(line, value)) counts.skip('of another kind')
  return reader.history()
}

/** The older form: one document. */
function historyOfDocument(file: SourceFile, counts: Counts): GeminiHistory | undefined {
  const reader = new Reader()
  const fields = new Map<string, unknown>()
  const messages = { read: 0, skipped: 0 }
  const isWhole = readDocument(file, ({ name, what, bytes }) => {
    if (what === 'list') fields.set(name, [])
    if (what === 'list' || (what === 'item' && name !== 'messages')) return true
    const value = parsed(textOf(bytes))
    if (what === 'value') fields.set(name, value)
    else {
      messages.read += 1
      if (!reader.message(1, value)) messages.skipped += 1
    }
    return value !== undefined
  })
  if (!isWhole || !Array.isArray(fields.get('messages')) || !reader.header(Object.fromEntries(fields))) return undefined
  counts.read += messages.read
  counts.skip('of another kind', messages.skipped)
  return reader.history()
}

class Reader {
  #header: Partial<ReturnType<typeof Header.parse>> = {}
  readonly #messages = new Map<string, Placed>()
  #steps: Step[] = []
  /** Messages that have a step. */
  readonly #known = new Set<string>()
  /** What is in the list now, in its order. */
  #current = new Set<string>()
  #justBegun = true
  #dropped = 0

  take(line: number, value: object): boolean {
    const change = GeminiChange.safeParse(value).data
    if (change !== undefined) return this.#change(line, change.$set)
    const cut = Cut.safeParse(value).data
    if (cut !== undefined) return this.#cut(cut.$rewindTo)
    if (this.message(line, value)) return true
    return this.header(value)
  }

  header(value: object): boolean {
    const header = Header.safeParse(value).data
    if (header === undefined) return false
    this.#header = { ...header, ...this.#header }
    this.#justBegun = true
    return true
  }

  /** A message, or another version of one: a later version may know more, and never less. */
  message(line: number, value: unknown): boolean {
    const message = GeminiMessage.safeParse(value).data
    if (message === undefined) return false
    this.#keep(line, message)
    this.#current.add(message.id)
    if (!this.#known.has(message.id)) this.#steps.push({ kind: 'message', id: message.id })
    this.#known.add(message.id)
    this.#justBegun = false
    return true
  }

  history(): GeminiHistory {
    const { sessionId, projectHash, startTime, summary } = this.#header
    return {
      ...given('sessionId', sessionId),
      ...given('projectHash', projectHash),
      ...given('startTime', startTime),
      ...given('summary', summary),
      steps: this.#steps,
      messages: this.#messages,
      dropped: this.#dropped,
    }
  }

  #keep(line: number, message: GeminiMessage): void {
    const before = this.#messages.get(message.id)
    const known = before?.message
    const toolCalls =
      message.toolCalls.length >= (known?.toolCalls.length ?? 0) ? message.toolCalls : (known?.toolCalls ?? [])
    const thoughts = message.thoughts.length > 0 ? message.thoughts : (known?.thoughts ?? [])
    this.#messages.set(message.id, {
      message: { ...known, ...message, toolCalls, thoughts },
      line: before?.line ?? line,
    })
  }

  #change(line: number, { messages, summary, sessionId }: ReturnType<typeof GeminiChange.parse>['$set']): boolean {
    this.#header = { ...this.#header, ...given('summary', summary), ...given('sessionId', sessionId) }
    if (!Array.isArray(messages)) return true
    const list = messages.flatMap((value) => {
      const message = GeminiMessage.safeParse(value).data
      return message === undefined ? [] : [message]
    })
    for (const message of list) this.#keep(line, message)
    // A process that has just started writes its own beginning before it has read what was there.
    const isBeginning = this.#justBegun && list.every(isContext)
    if (!isBeginning) this.#replace(list.filter(isOfConversation).map(({ id }) => id))
    this.#justBegun = false
    return true
  }

  #replace(next: readonly string[]): void {
    const now = [...this.#current].filter((id) => this.#isOfConversation(id))
    this.#restore(next)
    this.#insert(next)
    const stays = new Set(next)
    const firstGone = now.findIndex((id) => !stays.has(id))
    const from = now[firstGone]
    if (from !== undefined) {
      const gone = now.slice(firstGone).filter((id) => !stays.has(id))
      const isTail = gone.length === now.length - firstGone
      if (isTail) this.#steps.push({ kind: 'cut', from })
      else this.#dropped += gone.length
    }
    this.#current = new Set(next)
  }

  #cut(from: string): boolean {
    if (!this.#current.has(from)) return true
    this.#steps.push({ kind: 'cut', from })
    const ids = [...this.#current]
    this.#current = new Set(ids.slice(0, ids.indexOf(from)))
    return true
  }

  /** What was taken out and is back was only away while the list was being rewritten. */
  #restore(next: readonly string[]): void {
    const back = new Set(next)
    this.#steps = this.#steps.filter((step) => step.kind !== 'cut' || !back.has(step.from))
  }

  /** Messages whose own line is missing have their place where the list has them. */
  #insert(next: readonly string[]): void {
    const before = new Map<string | undefined, Step[]>()
    let following: string | undefined
    for (const id of next.toReversed()) {
      if (this.#known.has(id)) following = id
      else pushTo(before, following, { kind: 'message', id })
    }
    if (before.size === 0) return
    const stepsBefore = (id: string | undefined) => before.get(id)?.toReversed() ?? []
    this.#steps = [
      ...this.#steps.flatMap((step) => (step.kind === 'message' ? [...stepsBefore(step.id), step] : [step])),
      ...stepsBefore(undefined),
    ]
    for (const id of next) this.#known.add(id)
  }

  #isOfConversation(id: string): boolean {
    const placed = this.#messages.get(id)
    return placed !== undefined && isOfConversation(placed.message)
  }
}

function pushTo<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const values = map.get(key)
  if (values === undefined) map.set(key, [value])
  else values.push(value)
}

/** The program tells the model about its surroundings in the words of the user. */
export function isContext({ type, content }: GeminiMessage): boolean {
  return type === 'user' && textOfContent(content).trimStart().startsWith('<session_context>')
}

/** Results are sent back as messages of the user, again at every resumption; the calls have them as well. */
export function isOfConversation(message: GeminiMessage): boolean {
  if (message.type === 'gemini') return true
  if (message.type !== 'user' || isContext(message)) return false
  return typeof message.content === 'string' || !message.content.some((part) => part.functionResponse !== undefined)
}

export function textOfContent(content: GeminiMessage['content']): string {
  if (typeof content === 'string') return content
  return content.flatMap(({ text, thought }) => (text === undefined || thought === true ? [] : [text])).join('\n')
}
