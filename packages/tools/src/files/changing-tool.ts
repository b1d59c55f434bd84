import { LoaderError, type Signal } from '@loader/session-core'
import type { Observation, Tool, ToolResult, WrittenFile } from '@loader/session-core/coding'
import { contentHash, readFileNow, resolvePlace } from '@loader/workspace'
import {
  applyChange,
  type ChangedContent,
  changedContent,
  describeChange,
  type PlannedChange,
  storedPreview,
} from './change.ts'
import type { Files } from './located.ts'

/** What a call would do to files, determined without changing any. */
export type ChangePlan =
  | {
      readonly kind: 'planned'
      readonly changes: readonly PlannedChange[]
      /** Shown to the model after the change. */
      readonly text: string
      readonly metadata: NonNullable<ToolResult['metadata']>
    }
  | { readonly kind: 'invalid'; readonly message: string }

interface ChangingTool<Input> extends Pick<
  Tool<Input>,
  'name' | 'title' | 'description' | 'input' | 'aliases' | 'rule'
> {
  readonly files: Files
  readonly plan: (input: Input, sessionId: string | undefined) => Promise<ChangePlan>
}

/**
 * A tool that changes files.
 *
 * 1. Examining plans and describes the plan. Running plans again from the current files, and continues only if the plan
 *    is the same: same files, same contents before, same contents after.
 * 2. Each file is replaced atomically, and only while it is still the one that the plan was made from.
 */
export function changingTool<Input>({ files, plan, ...words }: ChangingTool<Input>): Tool<Input> {
  return {
    ...words,
    effect: 'write',
    async examine(wanted, { blobs, sessionId }) {
      const planned = await plan(wanted, sessionId)
      if (planned.kind === 'invalid') return { valid: false, message: planned.message }
      const fault = faultOf(planned.changes)
      if (fault !== undefined) return { valid: false, message: fault }
      const described = planned.changes.map((change) => describeChange(change))
      return {
        valid: true,
        input: wanted,
        effect: 'write',
        paths: planned.changes.map(({ place: { path, inside, guarded, access } }) => ({
          path,
          inside: inside && !guarded,
          ...(access && { access: guarded && access === 'writable' ? 'readonly' : access }),
        })),
        intent: described.map(({ intent }) => intent),
        preview: await storedPreview(described.map(({ diff }) => diff).join(''), blobs),
      }
    },
    async run({ input: wanted, intent }, { signal, sessionId }) {
      if (signal?.aborted) return { outcome: 'interrupted', text: 'It was cancelled before anything was changed.' }
      const planned = await plan(wanted, sessionId)
      if (planned.kind === 'invalid') return unchanged(planned.message)
      const fault = faultOf(planned.changes) ?? differenceOf(planned.changes, intent)
      if (fault !== undefined) return unchanged(fault)
      return applyAll(planned, signal)
    },
    observe: (intent) => observeFiles(files.root, intent),
  }
}

/**
 * Applies changes one by one. Several files cannot change at the same instant, so a failure says which were changed.
 */
async function applyAll(
  { changes, text, metadata }: Extract<ChangePlan, { kind: 'planned' }>,
  signal: Signal | undefined,
): Promise<ToolResult> {
  const done: string[] = []
  for (const change of changes) {
    if (signal?.aborted) return { outcome: 'interrupted', text: `It was cancelled.${doneBefore(done)}` }
    try {
      await applyChange(change)
    } catch (error) {
      if (!LoaderError.is(error)) throw error
      return failed(`${error.message}${doneBefore(done)}`)
    }
    done.push(change.place.shown)
  }
  return { outcome: 'ok', text, metadata }
}

function doneBefore(done: readonly string[]): string {
  return done.length === 0 ? '' : ` Changed before that: ${done.join(', ')}.`
}

function faultOf(changes: readonly PlannedChange[]): string | undefined {
  const seen = new Set<string>()
  for (const { place, before } of changes) {
    if (seen.has(place.path)) return `${place.shown} would be changed twice. Make one change of it.`
    seen.add(place.path)
    // oxlint-disable-next-line no-control-regex -- these are what is looked for
    if (before === undefined && /[\u0000-\u001f\u007f]/.test(place.path)) {
      return 'The name of the new file contains control characters. Choose a plain name.'
    }
    if (before !== undefined && (before.mode & 0o222) === 0) {
      return `${place.shown} is read-only (mode ${before.mode.toString(8)}). It may be meant to stay unchanged.`
    }
  }
  return undefined
}

function differenceOf(changes: readonly PlannedChange[], intent: readonly WrittenFile[]): string | undefined {
  const now = changes.map(changedContent)
  for (const [index, { path, before, after }] of intent.entries()) {
    const there: ChangedContent | undefined = now[index]
    if (there?.path !== path) return `The path leads to ${there?.path ?? 'nothing'} now, no longer to ${path}.`
    if (there.before !== before) return `${path} was changed since it was looked at. Read it again.`
    if (there.after !== after) return `The change to ${path} is not the one that was examined.`
  }
  return now.length === intent.length ? undefined : 'The call would change other files than when it was looked at.'
}

function unchanged(why: string): ToolResult {
  return failed(`Nothing was changed. ${why}`)
}

function failed(text: string): ToolResult {
  return { outcome: 'failed', text }
}

/**
 * The hash of the current content of each file, null if it does not exist. Anything but a regular file inside of the
 * workspace gets a word instead, which equals no hash.
 */
async function observeFiles(root: string, intent: readonly WrittenFile[]): Promise<Observation> {
  const files = []
  for (const { path } of intent) files.push({ path, now: await contentAt(root, path) })
  return { files }
}

async function contentAt(root: string, path: string): Promise<string | null> {
  const place = resolvePlace(root, path)
  if (place.kind === 'refused') return 'unreadable'
  if (place.path !== path) return 'elsewhere'
  if (place.entry === 'folder') return 'folder'
  const look = await readFileNow(path)
  if (look.kind === 'absent') return null
  return look.kind === 'file' ? contentHash(look.file.bytes) : 'unreadable'
}
