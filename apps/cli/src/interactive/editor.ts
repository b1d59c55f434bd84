import type { Key, KeyName } from './keys.ts'
import { segmentsOf } from '../screen/segments.ts'

/** The text in the input line, and the cursor position. */
export interface EditorState {
  readonly text: string
  readonly cursor: number
  /** Earlier inputs, latest last, and how far back the user has gone. */
  readonly history: readonly string[]
  readonly back: number
  /** The text from before the user went back in the history. */
  readonly unsent: string
}

/** Keys that do not change the text. */
export type SpecialKey = Extract<KeyName, 'escape' | 'interrupt' | 'end-of-input' | 'redraw' | 'suspend' | 'tab'>

export type Edited =
  | { readonly kind: 'draft'; readonly draft: EditorState }
  /** The text may be blank; its meaning depends on the situation. */
  | { readonly kind: 'submit'; readonly text: string; readonly draft: EditorState }
  | { readonly kind: 'key'; readonly name: SpecialKey }

const mostHistory = 200

export function newDraft(history: readonly string[] = []): EditorState {
  return { text: '', cursor: 0, history: history.slice(-mostHistory), back: 0, unsent: '' }
}

/** The same history with another text before the cursor. */
export function draftWith({ history }: EditorState, text: string): EditorState {
  return insert(newDraft(history), text)
}

/** The draft after a key. Pure: effects are returned, not performed. */
export function edit(draft: EditorState, key: Key): Edited {
  if (key.kind !== 'key') return { kind: 'draft', draft: insert(draft, key.text) }
  switch (key.name) {
    case 'enter':
      return enter(draft)
    case 'newline':
      return { kind: 'draft', draft: insert(draft, '\n') }
    case 'escape':
    case 'interrupt':
    case 'redraw':
    case 'suspend':
    case 'tab':
      return { kind: 'key', name: key.name }
    case 'end-of-input':
      return draft.text === '' ? { kind: 'key', name: key.name } : { kind: 'draft', draft: remove(draft, 'right') }
    default:
      return { kind: 'draft', draft: moved(draft, key.name) }
  }
}

/** A backslash at the end of the line starts another one. */
function enter(draft: EditorState): Edited {
  const { text, cursor, history } = draft
  if (text.endsWith('\\') && cursor === text.length) {
    return { kind: 'draft', draft: { ...draft, text: `${text.slice(0, -1)}\n` } }
  }
  const isNew = text.trim() !== '' && history.at(-1) !== text
  return { kind: 'submit', text, draft: newDraft(isNew ? [...history, text] : history) }
}

function moved(draft: EditorState, name: Exclude<KeyName, 'enter' | 'newline' | SpecialKey>): EditorState {
  const { text, cursor } = draft
  switch (name) {
    case 'left':
      return { ...draft, cursor: before(text, cursor) }
    case 'right':
      return { ...draft, cursor: after(text, cursor) }
    case 'home':
      return { ...draft, cursor: startOfLine(text, cursor) }
    case 'end':
      return { ...draft, cursor: endOfLine(text, cursor) }
    case 'word-left':
      return { ...draft, cursor: wordBefore(text, cursor) }
    case 'word-right':
      return { ...draft, cursor: wordAfter(text, cursor) }
    case 'backspace':
      return remove(draft, 'left')
    case 'delete':
      return remove(draft, 'right')
    case 'delete-word':
      return cutOut(draft, wordBefore(text, cursor), cursor)
    case 'delete-to-start':
      return cutOut(draft, startOfLine(text, cursor), cursor)
    case 'delete-to-end':
      return cutOut(draft, cursor, Math.max(endOfLine(text, cursor), Math.min(cursor + 1, text.length)))
    case 'up':
      return upOrBack(draft)
    case 'down':
      return downOrForth(draft)
    default:
      return name satisfies never
  }
}

/** Removes characters that would control the terminal or reorder text from typed and pasted text. */
function insert(draft: EditorState, added: string): EditorState {
  const { text, cursor } = draft
  const clean = added.replace(/(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
  return { ...draft, text: text.slice(0, cursor) + clean + text.slice(cursor), cursor: cursor + clean.length }
}

function remove(draft: EditorState, side: 'left' | 'right'): EditorState {
  const { text, cursor } = draft
  return side === 'left' ? cutOut(draft, before(text, cursor), cursor) : cutOut(draft, cursor, after(text, cursor))
}

function cutOut(draft: EditorState, from: number, to: number): EditorState {
  return { ...draft, text: draft.text.slice(0, from) + draft.text.slice(to), cursor: from }
}

/** Up within a text of several lines; from its first line, back in the history. */
function upOrBack(draft: EditorState): EditorState {
  const { text, cursor, history, back } = draft
  const start = startOfLine(text, cursor)
  if (start > 0) {
    const above = startOfLine(text, start - 1)
    return { ...draft, cursor: Math.min(above + (cursor - start), start - 1) }
  }
  if (back >= history.length) return draft
  const older = history[history.length - 1 - back] ?? ''
  return { ...draft, text: older, cursor: older.length, back: back + 1, unsent: back === 0 ? text : draft.unsent }
}

function downOrForth(draft: EditorState): EditorState {
  const { text, cursor, history, back, unsent } = draft
  const end = endOfLine(text, cursor)
  if (end < text.length) {
    return { ...draft, cursor: Math.min(end + 1 + (cursor - startOfLine(text, cursor)), endOfLine(text, end + 1)) }
  }
  if (back === 0) return draft
  const newer = back === 1 ? unsent : (history[history.length - back + 1] ?? '')
  return { ...draft, text: newer, cursor: newer.length, back: back - 1 }
}

function startOfLine(text: string, cursor: number): number {
  return cursor === 0 ? 0 : text.lastIndexOf('\n', cursor - 1) + 1
}

function endOfLine(text: string, cursor: number): number {
  const end = text.indexOf('\n', cursor)
  return end < 0 ? text.length : end
}

/** The start of the visible character left of the cursor. */
function before(text: string, cursor: number): number {
  return [...segmentsOf(text.slice(0, cursor))].at(-1)?.index ?? 0
}

function after(text: string, cursor: number): number {
  const [first] = segmentsOf(text.slice(cursor))
  return first === undefined ? text.length : cursor + first.segment.length
}

function wordBefore(text: string, cursor: number): number {
  return Math.max(0, text.slice(0, cursor).search(/\S+\s*$/))
}

function wordAfter(text: string, cursor: number): number {
  const match = /^\s*\S+/.exec(text.slice(cursor))
  return match === null ? text.length : cursor + match[0].length
}
