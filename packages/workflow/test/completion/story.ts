import type { Verdict } from '@loader/session-core/coding'

/** A turn as a script: what is there, what is asked for, what the model says and does, and what has to come of it. */
export interface Story {
  readonly name: string
  readonly task: string
  /** The workspace before the turn, by path. */
  readonly files: Readonly<Record<string, string>>
  /** What the user says that has to succeed. */
  readonly doneWhen?: readonly { readonly command: string; readonly text?: string }[]
  /** In their order; the last one comes again as often as it is asked for. */
  readonly answers: readonly ScriptedAnswer[]
  readonly verdict: Verdict
  /** Programs that a real run takes besides `sh`, `node` and `npm`. */
  readonly needs?: readonly string[]
}

export interface ScriptedAnswer {
  readonly text: string
  readonly calls?: readonly ScriptedCall[]
}

/** The tools by their usual names and arguments. */
export type ScriptedCall =
  | { readonly name: 'read'; readonly input: { readonly file_path: string } }
  | { readonly name: 'write'; readonly input: { readonly file_path: string; readonly content: string } }
  | {
      readonly name: 'edit'
      readonly input: { readonly file_path: string; readonly old_string: string; readonly new_string: string }
    }
  | { readonly name: 'bash'; readonly input: { readonly command: string } }

export function says(text: string, ...calls: readonly ScriptedCall[]): ScriptedAnswer {
  return { text, calls }
}

export function read(path: string): ScriptedCall {
  return { name: 'read', input: { file_path: path } }
}

export function write(path: string, content: string): ScriptedCall {
  return { name: 'write', input: { file_path: path, content } }
}

export function edit(path: string, before: string, after: string): ScriptedCall {
  return { name: 'edit', input: { file_path: path, old_string: before, new_string: after } }
}

export function bash(command: string): ScriptedCall {
  return { name: 'bash', input: { command } }
}
