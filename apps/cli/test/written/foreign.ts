import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { messagesTokens } from '@loader/compaction'
import { fold, type SessionEvent, type SessionState } from '@loader/session-core'
import { fixedEnvironment } from '@loader/test-harness'
import {
  parseSource,
  readSource,
  recordConversation,
  type SourceFile,
  type SourceKind,
  sourceOfText,
} from '@loader/foreign-sessions'
import { conversationOf } from '@loader/readings'

export type ForeignKind = Exclude<SourceKind, 'loader'>

const stops = ['sigint', 'sigkill'] as const

export const foreignFiles: readonly (readonly [kind: ForeignKind, name: string])[] = [
  ['claude', 'claude-code/three-turns.jsonl'],
  ['claude', 'claude-code/api-error.jsonl'],
  ['claude', 'claude-code/compacted.jsonl'],
  ['claude', 'claude-code/denied.jsonl'],
  ['claude', 'claude-code/interrupted-tool.jsonl'],
  ['claude', 'claude-code/interrupted-waiting.jsonl'],
  ['claude', 'claude-code/fork/parent.jsonl'],
  ['claude', 'claude-code/fork/child.jsonl'],
  ['claude', 'claude-code/subagent/4eb790e3-796b-44e9-8593-08a3aa477444.jsonl'],
  ['codex', 'codex/three-turns.jsonl'],
  ['codex', 'codex/three-turns-shell-only.jsonl'],
  ['codex', 'codex/api-error.jsonl'],
  ['codex', 'codex/compacted.jsonl'],
  ['codex', 'codex/interrupted-waiting.jsonl'],
  ...killed('claude', 'claude-code', [
    'ordinary',
    ...stops,
    'sigint-resumed',
    'sigkill-resumed',
    'sigkill-half-answer',
  ]),
  ...killed('codex', 'codex', ['ordinary', ...stops, 'sigint-two-calls', 'sigint-resumed', 'sigkill-resumed']),
  ...killed('codex', 'codex', ['sigkill-half-answer', 'still-running']),
  ...killed('gemini', 'gemini-cli', ['ordinary', ...stops, 'sigkill-resumed']),
  ...killed('pi', 'pi', ['ordinary', ...stops, 'sigkill-resumed', 'sigkill-half-answer']),
  ['gemini', 'gemini-cli/three-turns/session-2026-11-18T07-31-2c9115b9.jsonl'],
  ['gemini', 'gemini-cli/api-error.jsonl'],
  ['gemini', 'gemini-cli/failed-tools.jsonl'],
  ['pi', 'pi/three-turns.jsonl'],
  ['pi', 'pi/api-error.jsonl'],
  ['pi', 'pi/failed-tools.jsonl'],
  ['pi', 'pi/interrupted.jsonl'],
  ['pi', 'pi/fork/2026-11-18T07-34-52-448Z_01a1ed94-771f-72d7-8b0d-9d300cc43a2d.jsonl'],
  ['pi', 'pi/fork/2026-11-18T07-34-53-027Z_01a1ed94-7963-7715-908e-2934c2ba9320.jsonl'],
]

/** Sessions of programs that were stopped in the middle, and an ordinary one of the same day beside them. */
function killed(
  kind: ForeignKind,
  folder: string,
  names: readonly string[],
): readonly (readonly [kind: ForeignKind, name: string])[] {
  return names.map((name) => [kind, `${folder}/killed/${name}.jsonl`])
}

export function foreignPath(name: string): string {
  return fileURLToPath(new URL(`../../../../packages/foreign-sessions/test/fixtures/${name}`, import.meta.url))
}

export function foreignText(name: string): string {
  return readFileSync(foreignPath(name), 'utf8')
}

export function sourceOf(text: string): SourceFile {
  return sourceOfText('session.jsonl', text)
}

export interface Imported {
  readonly events: readonly SessionEvent[]
  readonly state: SessionState
  readonly losses: readonly string[]
}

/** A file as a session would have it, with ids and times that are always the same. */
export function imported(kind: ForeignKind, file: string | SourceFile, id = 'ses_imported'): Imported {
  const source = typeof file === 'string' ? readSource(foreignPath(file)) : file
  const environment = fixedEnvironment()
  const { events, losses } = recordConversation(parseSource(kind, source), {
    id,
    newId: (prefix) => environment.newId(prefix),
    importedAt: environment.now(),
    root: '/elsewhere',
    tokensOf: messagesTokens,
    origin: { path: source.path, bytes: source.bytes, digest: 'sha256:0' },
  })
  const state = fold(events)
  if (state === null) throw new Error('An import has events.')
  return { events, state, losses }
}

/** What was said and done, in order, also what has left the window: one line for each. */
export function saidIn({ events }: Pick<Imported, 'events'>): string[] {
  return conversationOf(events).flatMap((entry) => {
    if (entry.kind !== 'message') return []
    const { origin, source = 'user', text, reasoning, calls, interrupted } = entry
    if (origin === 'summary') return [`summary: ${text}`]
    if (origin === 'input' || origin === 'steering') return [`${source}: ${text}`]
    return [
      ...(reasoning === '' ? [] : [`thought: ${reasoning.replace(/^Plan: /, '')}`]),
      ...(text === '' ? [] : [`${interrupted ? 'cut off' : 'model'}: ${text}`]),
      ...calls.map(({ name, outcome }) => `call: ${name} ${outcome}`),
    ]
  })
}
