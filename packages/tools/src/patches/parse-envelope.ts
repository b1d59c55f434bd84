import { type FilePatch, type Hunk, type HunkLine, malformed, type ParsedPatch } from './file-patch.ts'

const section = /^\*\*\* (Add File|Delete File|Update File|Move to): (.+?)\s*$/

/** Whether a patch has the format that begins with `*** Begin Patch`. */
export function isEnvelope(text: string): boolean {
  return /^\s*\*\*\* Begin Patch/.test(text)
}

/** Reads a patch whose hunks name surrounding lines instead of line numbers. */
export function parseEnvelope(text: string): ParsedPatch {
  const files: FilePatch[] = []
  let body: string[] = []
  let current: FilePatch | undefined
  const finish = () => {
    if (current !== undefined) files.push({ ...current, hunks: hunksOf(current, body) })
    body = []
  }
  for (const line of text.split('\n')) {
    if (/^\s*\*\*\* (Begin|End) (Patch|of File)/.test(line)) continue
    const [, action, path = ''] = section.exec(line) ?? []
    if (action === undefined) {
      if (current === undefined && line.trim() !== '') return malformed(`no file is named before the line "${line}".`)
      body.push(line)
    } else if (action === 'Move to') {
      if (current?.kind !== 'update') return malformed(`"${line}" stands behind no file that is updated.`)
      current = { ...current, movesTo: path }
    } else {
      finish()
      current = { kind: kinds[action] ?? 'update', path, hunks: [] }
    }
  }
  finish()
  return files.length === 0 ? malformed('it names no file.') : { kind: 'parsed', files }
}

const kinds: Readonly<Record<string, FilePatch['kind']>> = {
  'Add File': 'create',
  'Delete File': 'delete',
  'Update File': 'update',
}

function hunksOf({ kind }: FilePatch, body: readonly string[]): Hunk[] {
  if (kind === 'delete') return []
  const hunks: Hunk[] = []
  let lines: HunkLine[] = []
  let anchor: string | undefined
  const finish = () => {
    const kept = withoutTrailingBlanks(lines)
    if (kept.length > 0) hunks.push({ lines: kept, ...(anchor !== undefined && { anchor }) })
    lines = []
  }
  for (const line of body) {
    if (line.startsWith('@@')) {
      finish()
      anchor = line.slice(2).trim() || undefined
    } else {
      const sign = line[0]
      if (sign === '+' || sign === '-' || sign === ' ') lines.push({ sign, text: line.slice(1) })
      else lines.push({ sign: ' ', text: line })
    }
  }
  finish()
  return hunks
}

function withoutTrailingBlanks(lines: readonly HunkLine[]): HunkLine[] {
  const last = lines.findLastIndex(({ sign, text }) => sign !== ' ' || text.trim() !== '')
  return lines.slice(0, last + 1)
}
