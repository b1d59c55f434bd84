import { type FilePatch, type Hunk, malformed, type ParsedPatch } from './file-patch.ts'
import { hunkHeader, type LineReader, readHunkLines } from './hunk-lines.ts'

/** The header lines above the hunks of a file, by their first word. */
type Headers = ReadonlyMap<string, string>

/** A file name in a header; null stands for /dev/null. */
type Name = string | null

/** Reads a unified diff, as written by `diff -u`, by git, and by models. */
export function parseUnified(text: string): ParsedPatch {
  const reader: LineReader = { lines: patchLines(text), position: 0 }
  const files: FilePatch[] = []
  const loose: Hunk[] = []
  while (reader.position < reader.lines.length) {
    const headers = readHeaders(reader)
    const unable = [...headers.keys()].find((key) => notDone.has(key))
    if (unable !== undefined) return malformed(`"${unable}" cannot be done here.`)
    const hunks = readHunks(reader)
    const names = namesIn(headers)
    if (names === undefined) loose.push(...hunks)
    else files.push(filePatch(names, headers, hunks))
  }
  if (files.length > 0 && loose.length > 0) return malformed('it has hunks that stand before the name of any file.')
  if (loose.length > 0) return { kind: 'hunks', hunks: loose }
  if (files.length > 0) return { kind: 'parsed', files }
  return malformed('no hunk was found in it: a line "@@ -1,3 +1,4 @@", then lines that begin with a space, - or +.')
}

function patchLines(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

const known =
  /^(diff --git|---|\+\+\+|rename from|rename to|new file mode|deleted file mode|copy from|new mode|GIT binary patch|Binary files)(?: (.*))?$/
const notDone: ReadonlySet<string> = new Set(['copy from', 'new mode', 'GIT binary patch', 'Binary files'])

/** Reads up to the first hunk, or up to the next file for a file without hunks. */
function readHeaders(reader: LineReader): Headers {
  const headers = new Map<string, string>()
  for (; reader.position < reader.lines.length; reader.position += 1) {
    const line = (reader.lines[reader.position] as string).replace(/\r$/, '')
    const [, key, value = ''] = known.exec(line) ?? []
    if (line.startsWith('@@') || (key === 'diff --git' && headers.size > 0) || (key === '---' && headers.has(key)))
      break
    if (key !== undefined) headers.set(key, value)
  }
  return headers
}

/** The old and new name, from the most explicit headers present. */
function namesIn(headers: Headers): readonly [Name, Name] | undefined {
  const [old, now] = [headers.get('---') ?? headers.get('+++'), headers.get('+++') ?? headers.get('---')]
  if (old !== undefined && now !== undefined) return plainNames(nameIn(old), nameIn(now))
  const [from, to] = [headers.get('rename from'), headers.get('rename to')]
  if (from !== undefined && to !== undefined) return [unquoted(from), unquoted(to)]
  const git = /^a\/(.+) b\/\1$/.exec(headers.get('diff --git') ?? '')?.[1]
  if (git === undefined) return undefined
  return [headers.has('new file mode') ? null : git, headers.has('deleted file mode') ? null : git]
}

function readHunks(reader: LineReader): Hunk[] {
  const hunks: Hunk[] = []
  while (reader.position < reader.lines.length) {
    const header = hunkHeader(reader.lines[reader.position] as string)
    if (header === undefined) return hunks
    reader.position += 1
    const lines = readHunkLines(reader, header)
    // A hunk without old lines is numbered by the line before it.
    const { oldStart, oldLines } = header
    const before = oldStart === undefined ? undefined : oldLines === 0 ? oldStart : Math.max(0, oldStart - 1)
    if (lines.length > 0) hunks.push({ lines, ...(before !== undefined && { before }) })
  }
  return hunks
}

function filePatch([from, to]: readonly [Name, Name], headers: Headers, hunks: readonly Hunk[]): FilePatch {
  if (to === null) return { kind: 'delete', path: from ?? '', hunks }
  if (from !== null) return { kind: 'update', path: from, hunks, ...(from !== to && { movesTo: to }) }
  const mode = headers.get('new file mode')
  return { kind: 'create', path: to, hunks, ...(mode !== undefined && { mode: Number.parseInt(mode, 8) & 0o777 }) }
}

/** The names without git's prefixes `a/` and `b/`. */
function plainNames(old: Name, now: Name): readonly [Name, Name] {
  const isPrefixed = (old === null || old.startsWith('a/')) && (now === null || now.startsWith('b/'))
  return isPrefixed ? [old && old.slice(2), now && now.slice(2)] : [old, now]
}

function nameIn(value: string): Name {
  const name = value.startsWith('"') ? unquoted(value) : (value.split('\t')[0] ?? '').trimEnd()
  return name === '/dev/null' ? null : name
}

/** Git quotes names with unusual characters as C does. */
function unquoted(value: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(value)?.[1]
  if (quoted === undefined) return value
  const plain: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }
  const bytes: number[] = []
  for (const [piece, octal, character] of quoted.matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/gs)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8))
    else bytes.push(...Buffer.from(character === undefined ? piece : (plain[character] ?? character)))
  }
  return Buffer.from(bytes).toString('utf8')
}
