import {
  type EventOf,
  type History,
  isSessionEvent,
  shownText,
  type StoredText,
  type ToolCall,
  type ToolOutcome,
} from '@loader/session-core'
import type { FileChange } from '@loader/session-core/coding'
import { callTitle } from '../words/call-title.ts'
import { type FilePatch, readPatch } from '../words/patch.ts'
import type { Texts } from '../words/texts.ts'

/** One change of a file, by a call that said beforehand what it would change. */
export interface FileEdit {
  /** The event that told what it would change. */
  readonly seq: number
  readonly at: string
  /** Number of the turn, counted from 1. */
  readonly turn: number
  readonly callId: string
  readonly title: string
  readonly patch: FilePatch
  /** How the call ended; null while it has not. */
  readonly outcome: ToolOutcome | null
}

/** A line of a file as far as the calls of the session have shown it. */
export interface KnownLine {
  readonly text: string
  /** Index of the edit that wrote it; null for a line that was there before the session. */
  readonly edit: number | null
}

/** What a session has done to one file. */
export interface FileStory {
  readonly path: string
  readonly edits: readonly FileEdit[]
  /** Turns in which a command, and not such a call, may have changed it, by their numbers. */
  readonly seenIn: readonly { readonly turn: number; readonly seq: number; readonly change: FileChange['change'] }[]
  /** Its lines after the last edit that took effect, by number from 0. Those that no call has shown are undefined. */
  readonly lines: readonly (KnownLine | undefined)[]
}

interface Draft {
  readonly path: string
  readonly edits: { -readonly [Key in keyof FileEdit]: FileEdit[Key] }[]
  readonly seenIn: Map<number, { readonly seq: number; readonly change: FileChange['change'] }>
}

/** What a session has done to each file, by path. Content of commands is not among the events: only that it changed. */
export function filesReading(history: History, texts: Texts = new Map()): FileStory[] {
  const files = new Map<string, Draft>()
  const calls = new Map<string, ToolCall>()
  let turn = 0
  const fileOf = (path: string) => {
    const file: Draft = files.get(path) ?? { path, edits: [], seenIn: new Map() }
    files.set(path, file)
    return file
  }
  for (const event of history) {
    if (!isSessionEvent(event)) continue
    if (event.type === 'turn.started') turn += 1
    if (event.type === 'model.answered') {
      for (const part of event.content) if (part.type === 'call') calls.set(part.call.id, part.call)
    }
    if (event.type === 'calls.recovered') for (const call of event.calls) calls.set(call.id, call)
    if (event.type === 'call.examined' && event.effect === 'write' && event.preview !== undefined) {
      for (const patch of readPatch(wholeText(event.preview, texts))) {
        fileOf(patch.path).edits.push(editOf(event, patch, turn, calls.get(event.callId)))
      }
    }
    if (event.type === 'tool.finished') {
      for (const { edits } of files.values()) {
        for (const edit of edits) if (edit.callId === event.callId) edit.outcome = event.outcome
      }
    }
    if (event.type === 'workspace.observed') {
      for (const { path, change } of event.changed ?? []) fileOf(path).seenIn.set(turn, { seq: event.seq, change })
    }
  }
  return [...files.values()].map(storyOf).toSorted((one, other) => (one.path < other.path ? -1 : 1))
}

function editOf(
  { seq, at, callId }: EventOf<'call.examined'>,
  patch: FilePatch,
  turn: number,
  call: ToolCall | undefined,
): Draft['edits'][number] {
  return { seq, at, turn, callId, title: call === undefined ? callId : callTitle(call), patch, outcome: null }
}

function wholeText(text: StoredText, texts: Texts): string {
  return typeof text === 'string' ? text : (texts.get(text.blob) ?? shownText(text))
}

function storyOf({ path, edits, seenIn }: Draft): FileStory {
  const edited = new Set(edits.filter(({ outcome }) => outcome === 'ok').map(({ turn }) => turn))
  return {
    path,
    edits,
    seenIn: [...seenIn].flatMap(([turn, seen]) => (edited.has(turn) ? [] : [{ turn, ...seen }])),
    lines: edits.reduce(
      (lines: readonly (KnownLine | undefined)[], { patch, outcome }, edit) =>
        outcome === 'ok' ? withPatch(lines, patch, edit) : lines,
      [],
    ),
  }
}

function withPatch(
  before: readonly (KnownLine | undefined)[],
  { hunks, change }: FilePatch,
  edit: number,
): (KnownLine | undefined)[] {
  if (change === 'deleted') return []
  const after: (KnownLine | undefined)[] = []
  let next = 0
  for (const { oldStart, lines } of hunks) {
    while (next < oldStart - 1) after.push(before[next++])
    for (const { sign, text } of lines) {
      if (sign === '+') after.push({ text, edit })
      else if (sign === '-') next += 1
      else {
        const known = before[next++]
        after.push(known?.text === text ? known : { text, edit: null })
      }
    }
  }
  return [...after, ...before.slice(next)]
}
