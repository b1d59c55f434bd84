import * as z from 'zod'
import type { Tool, ToolAliases } from '@loader/session-core/coding'
import { type Place, unwritable } from '@loader/workspace'
import { file } from './calls/spellings.ts'
import type { PlannedChange } from './files/change.ts'
import { changingTool, type ChangePlan } from './files/changing-tool.ts'
import { linesInWords } from './files/line-endings.ts'
import type { Files } from './files/located.ts'
import { loadText } from './files/load.ts'
import { missingFile } from './files/missing-file.ts'
import { type Applied, applyHunks } from './patches/apply-hunks.ts'
import type { FilePatch, Hunk, ParsedPatch } from './patches/file-patch.ts'
import { HunkInput, hunkOf } from './patches/hunk-input.ts'
import { isEnvelope, parseEnvelope } from './patches/parse-envelope.ts'
import { parseUnified } from './patches/parse-unified.ts'

const PatchInput = z.object({
  file_path: z.string().optional().describe('the file; needed with hunks, and where the patch names none'),
  patch: z.string().optional().describe('a unified diff of one file or several'),
  hunks: z.array(HunkInput).min(1).optional().describe('instead of a diff: the hunks of one file'),
})
export type PatchInput = z.infer<typeof PatchInput>

/** The names and arguments under which models call it. */
const aliases: ToolAliases = {
  names: ['apply_patch', 'apply_diff', 'patch_file', 'file_patch'],
  arguments: {
    file_path: file,
    patch: ['diff', 'patch_text', 'input', 'unified_diff', 'content'],
    hunks: ['edits', 'changes'],
  },
  main: 'patch',
}

/** The tool `patch`: applies a diff to several files, completely or not at all. */
export function patchTool(files: Files): Tool<PatchInput> {
  return changingTool({
    files,
    name: 'patch',
    title: 'Patch files',
    description:
      'Apply a unified diff, or hunks, to text files; creates, deletes and renames files as well. All hunks fit, or ' +
      'nothing is changed. A hunk is applied where its lines stand; where it says otherwise, the result tells.',
    input: PatchInput,
    aliases,
    rule: { names: ['Edit', 'MultiEdit'], takes: 'path' },
    plan: (input, sessionId) => plan({ ...files, sessionId }, input),
  })
}

async function plan(where: Files, input: PatchInput): Promise<ChangePlan> {
  const files = filesOf(input)
  if (typeof files === 'string') return invalid(files)
  const planned: PlannedFile[] = []
  for (const file of files) {
    const one = await planFile(where, file)
    if (typeof one === 'string') return invalid(one)
    planned.push(one)
  }
  return {
    kind: 'planned',
    changes: planned.flatMap(({ changes }) => changes),
    text: planned.flatMap(({ said, notes }) => [said, ...notes]).join(' '),
    metadata: { files: planned.map(({ shown, kind }) => ({ filePath: shown, kind })) },
  }
}

/** The patch of each file, or what is wrong with the input. */
function filesOf({ file_path, patch, hunks }: PatchInput): readonly FilePatch[] | string {
  if ((patch === undefined) === (hunks === undefined)) return 'Give either patch (a unified diff) or hunks.'
  if (hunks !== undefined)
    return updateOf(
      file_path,
      hunks.map((hunk, index) => hunkOf(hunk, index + 1)),
    )
  const parsed = parsePatch(patch ?? '')
  if (parsed.kind === 'malformed') return `The patch cannot be read: ${parsed.why}`
  if (parsed.kind === 'hunks') return updateOf(file_path, parsed.hunks)
  const [only] = parsed.files
  if (file_path === undefined || only === undefined) return parsed.files
  if (parsed.files.length > 1) return `The patch is for ${parsed.files.length} files, so leave file_path out.`
  return [{ ...only, path: file_path }]
}

function updateOf(path: string | undefined, hunks: readonly (Hunk | string)[]): readonly FilePatch[] | string {
  if (path === undefined) return 'Give file_path: the hunks do not say which file they are for.'
  const fault = hunks.find((hunk) => typeof hunk === 'string')
  if (fault !== undefined) return fault
  return [{ kind: 'update', path, hunks: hunks.filter((hunk) => typeof hunk !== 'string') }]
}

interface PlannedFile {
  readonly shown: string
  readonly kind: FilePatch['kind']
  readonly changes: readonly PlannedChange[]
  readonly said: string
  readonly notes: readonly string[]
}

function planFile(where: Files, file: FilePatch): Promise<PlannedFile | string> {
  switch (file.kind) {
    case 'create':
      return planCreation(where, file)
    case 'delete':
      return planDeletion(where, file)
    case 'update':
      return planUpdate(where, file)
    default:
      return file satisfies never
  }
}

async function planCreation(where: Files, { path, hunks, mode }: Extract<FilePatch, { kind: 'create' }>) {
  const loaded = await loadText(where, path)
  if (loaded.kind === 'refused') return loaded.why
  const { place } = loaded
  if (loaded.kind === 'loaded') return `${place.shown} is there already, and the patch would create it. Read it first.`
  const lines = hunks.flatMap((hunk) => hunk.lines).filter(({ sign }) => sign !== '-')
  const after = lines.map(({ text, unended }) => (unended ? text : `${text}\n`)).join('')
  const fault = unwritable(after)
  if (fault !== undefined) return `${place.shown} cannot be created: ${fault}.`
  const change = { place, before: undefined, after, ...(mode !== undefined && { mode }) }
  return planned(place.shown, 'create', [change], `Created ${place.shown} (${linesInWords(lines.length)}).`)
}

async function planDeletion(where: Files, { path, hunks }: Extract<FilePatch, { kind: 'delete' }>) {
  const loaded = await loadText(where, path)
  if (loaded.kind === 'refused') return loaded.why
  const { place } = loaded
  if (loaded.kind === 'absent') return missingFile(where.root, place)
  const { file: before } = loaded
  const left = hunks.length === 0 ? { kind: 'applied' as const, text: '' } : applyHunks(before.text, hunks)
  if (left.kind === 'failed') return whyNot(place, left)
  if (left.text !== '') return `${place.shown} holds more than the patch would delete. Read it again.`
  return planned(place.shown, 'delete', [{ place, before, after: undefined }], `Deleted ${place.shown}.`)
}

async function planUpdate(where: Files, { path, hunks, movesTo }: Extract<FilePatch, { kind: 'update' }>) {
  const loaded = await loadText(where, path)
  if (loaded.kind === 'refused') return loaded.why
  const { place } = loaded
  if (loaded.kind === 'absent') return missingFile(where.root, place)
  const { file: before } = loaded
  const mark = before.text.startsWith('\ufeff') && !startsWithMark(hunks) ? '\ufeff' : ''
  const applied = applyHunks(before.text.slice(mark.length), hunks)
  if (applied.kind === 'failed') return whyNot(place, applied)
  const after = mark + applied.text
  const fault = unwritable(after)
  if (fault !== undefined) return `${place.shown} cannot become this: ${fault}.`
  if (movesTo !== undefined) return planMove(where, { place, before, after }, movesTo, applied.notes)
  if (after === before.text) return `${place.shown} reads like this already, so the patch would change nothing.`
  return planned(place.shown, 'update', [{ place, before, after }], `Patched ${place.shown}.`, applied.notes)
}

/**
 * Why a hunk failed. The user has not permitted reading outside of the workspace, so lines of a file there stay hidden.
 */
function whyNot({ shown, inside }: Place, { why, closest }: Extract<Applied, { kind: 'failed' }>): string {
  if (closest === undefined || !inside) return `${shown}: ${why} Read the file again.`
  return `${shown}: ${why} This comes closest:\n${closest}`
}

function startsWithMark(hunks: readonly Hunk[]): boolean {
  return hunks[0]?.lines[0]?.text.startsWith('\ufeff') ?? false
}

/** Creates the new file before removing the old one: an interruption leaves one file too many, never one too few. */
async function planMove(
  where: Files,
  from: Required<Pick<PlannedChange, 'place' | 'before' | 'after'>>,
  movesTo: string,
  notes: readonly string[],
) {
  const target = await loadText(where, movesTo)
  if (target.kind === 'refused') return target.why
  if (target.kind === 'loaded') return `${target.place.shown} is there already, so nothing can be renamed to it.`
  const { place, before, after } = from
  const changes = [
    { place: target.place, before: undefined, after, ...(before !== undefined && { mode: before.mode }) },
    { place, before, after: undefined },
  ]
  return planned(target.place.shown, 'update', changes, `Renamed ${place.shown} to ${target.place.shown}.`, notes)
}

function planned(
  shown: string,
  kind: FilePatch['kind'],
  changes: readonly PlannedChange[],
  said: string,
  notes: readonly string[] = [],
): PlannedFile {
  return { shown, kind, changes, said, notes }
}

function invalid(message: string): ChangePlan {
  return { kind: 'invalid', message }
}

/** Reads a patch in either format, also inside of a code fence. */
export function parsePatch(text: string): ParsedPatch {
  const plain = withoutFence(text)
  return isEnvelope(plain) ? parseEnvelope(plain) : parseUnified(plain)
}

function withoutFence(text: string): string {
  return /^\s*```[a-z]*\r?\n(.*?)\r?\n?```\s*$/s.exec(text)?.[1] ?? text
}
