/** One line of a hunk: ` ` is there before and after, `-` only before, `+` only after. */
export interface PatchLine {
  readonly sign: ' ' | '-' | '+'
  readonly text: string
}

/** Lines that changed, with some around them. The first line of a file has the number 1. */
export interface PatchHunk {
  readonly oldStart: number
  readonly newStart: number
  readonly lines: readonly PatchLine[]
}

/** The changes of one file. */
export interface FilePatch {
  readonly path: string
  /** The path before a rename; otherwise the same. */
  readonly oldPath: string
  readonly change: 'added' | 'deleted' | 'modified'
  readonly hunks: readonly PatchHunk[]
  readonly added: number
  readonly removed: number
  /** What is said about what is not shown: that it was cut, or that the file is not text. */
  readonly notes: readonly string[]
}

interface Draft {
  path: string
  oldPath: string
  isAdded: boolean
  isDeleted: boolean
  readonly hunks: { readonly oldStart: number; readonly newStart: number; readonly lines: PatchLine[] }[]
  /** Lines that the open hunk still has on each side, as its header says. */
  left: { old: number; now: number }
  readonly notes: string[]
}

const hunkHeader = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/
const nowhere = '/dev/null'

/** Reads a unified diff, with or without the headers of git. What is no diff at all has no files. */
export function readPatch(text: string): FilePatch[] {
  const files: Draft[] = []
  for (const line of text.split('\n')) readLine(files, line)
  return files.map(finished)
}

function readLine(files: Draft[], line: string): void {
  const file = files.at(-1)
  if (file !== undefined && (file.left.old > 0 || file.left.now > 0) && readChange(file, line)) return
  if (line.startsWith('diff --git ')) files.push(draft(gitPath(line)))
  else if (line.startsWith('--- ')) readOldPath(files, line.slice(4))
  else if (file === undefined) return
  else if (line.startsWith('+++ ')) readNewPath(file, line.slice(4))
  else if (hunkHeader.test(line)) openHunk(file, line)
  else if (/^(?:new file mode|deleted file mode) /.test(line)) {
    file.isAdded ||= line.startsWith('new')
    file.isDeleted ||= line.startsWith('deleted')
  } else if (/^(?:rename from |rename to )/.test(line)) {
    if (line.startsWith('rename from ')) file.oldPath = line.slice(12)
    else file.path = line.slice(10)
  } else if (/^(?:… |Binary files |old mode |new mode )/.test(line)) file.notes.push(line)
}

function readChange(file: Draft, line: string): boolean {
  const sign = line === '' ? ' ' : line[0]
  if (sign !== ' ' && sign !== '-' && sign !== '+') return line.startsWith('\\')
  file.hunks.at(-1)?.lines.push({ sign, text: line.slice(1) })
  if (sign !== '+') file.left.old -= 1
  if (sign !== '-') file.left.now -= 1
  return true
}

function draft(path: string): Draft {
  const left = { old: 0, now: 0 }
  return { path, oldPath: path, isAdded: false, isDeleted: false, hunks: [], left, notes: [] }
}

/** A header without git in front of it begins a file. */
function readOldPath(files: Draft[], name: string): void {
  const last = files.at(-1)
  const file = last !== undefined && last.hunks.length === 0 && last.notes.length === 0 ? last : draft('')
  if (file !== last) files.push(file)
  if (name === nowhere) file.isAdded = true
  else file.oldPath = plainPath(name, 'a/')
}

function readNewPath(file: Draft, name: string): void {
  if (name === nowhere) {
    file.isDeleted = true
    file.path = file.oldPath
  } else {
    file.path = plainPath(name, 'b/')
    if (file.isAdded) file.oldPath = file.path
  }
}

function openHunk(file: Draft, line: string): void {
  const [, oldStart = '0', oldLines = '1', newStart = '0', newLines = '1'] = hunkHeader.exec(line) ?? []
  const [old, now] = [Number(oldLines), Number(newLines)]
  // A side without lines is numbered by the line before it.
  file.hunks.push({
    oldStart: Number(oldStart) + (old === 0 ? 1 : 0),
    newStart: Number(newStart) + (now === 0 ? 1 : 0),
    lines: [],
  })
  file.left = { old, now }
}

function gitPath(line: string): string {
  const words = line.slice('diff --git '.length)
  return plainPath(words.slice(words.length / 2 + 1), 'b/')
}

/** Without the prefix of git, and without the time that some programs add. */
function plainPath(name: string, prefix: string): string {
  const [path = ''] = name.split('\t')
  return path.startsWith(prefix) ? path.slice(prefix.length) : path
}

function finished({ path, oldPath, isAdded, isDeleted, hunks, notes }: Draft): FilePatch {
  const count = (sign: string) =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.sign === sign).length, 0)
  const change = isAdded ? 'added' : isDeleted ? 'deleted' : 'modified'
  return { path, oldPath, change, hunks, added: count('+'), removed: count('-'), notes }
}
