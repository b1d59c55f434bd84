import { cpSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Sample } from './sample-shapes.ts'

interface DamagedSample {
  /** Folder and id, below the folder of all. */
  readonly session: string
  /** What was done, for people to read. */
  readonly what: string
}

type Random = () => number

const pick = <Each>(each: readonly Each[], random: Random): Each => each[Math.floor(random() * each.length)] as Each

/** A copy of a session in a folder of its own, to which up to three things have happened. */
export function damageOf(sample: Sample, samples: readonly Sample[], directory: string, random: Random): DamagedSample {
  const id = basename(sample.session)
  mkdirSync(directory)
  for (const name of sample.names) copy(join(sample.directory, name), join(directory, name))
  const count = pick([1, 1, 1, 1, 2, 3], random)
  const what = Array.from({ length: count }, () => {
    const names = readdirSync(directory).filter((name) => /\.jsonl?$/.test(name))
    const name = pick(names, random)
    const change = pick(changes, random)
    return change({ directory, name, names, sample, samples, random }) ?? 'nothing'
  })
  return { session: `${basename(directory)}/${id}`, what: `${sample.session}: ${what.join(', and ')}` }
}

/** Files that stay as they are cost nothing; those that change get a file of their own. */
function copy(from: string, to: string): void {
  if (statSync(from).isDirectory()) cpSync(from, to, { recursive: true })
  else linkSync(from, to)
}

interface Victim {
  readonly directory: string
  readonly name: string
  readonly names: readonly string[]
  readonly sample: Sample
  readonly samples: readonly Sample[]
  readonly random: Random
}

/** Does something to a file, and says what; undefined where there was nothing to do it to. */
type Change = (victim: Victim) => string | undefined

const changes: readonly Change[] = [
  inBytes('a bit flipped', flip),
  inBytes('a bit flipped', flip),
  inBytes('a bit flipped', flip),
  inBytes('a bit flipped in what frames events', flipFrame),
  inBytes('a bit flipped in what frames events', flipFrame),
  inBytes('cut', (bytes, at) => bytes.subarray(0, at)),
  inBytes('a sector lost', (bytes, at) => withSector(bytes, at, 0)),
  inBytes('a sector never written', (bytes, at) => withSector(bytes, at, 10)),
  inBytes('bytes inserted', (bytes, at) =>
    Buffer.concat([bytes.subarray(0, at), Buffer.from('?"]\n'), bytes.subarray(at)]),
  ),
  inLines('a line twice', (lines, at) => lines.toSpliced(at, 0, lines[at] as string)),
  inLines('a line removed', (lines, at) => lines.toSpliced(at, 1)),
  inLines('two lines swapped', (lines, at) => lines.toSpliced(at, 2, lines[at + 1] ?? '', lines[at] as string)),
  inLines('lines moved to the end', (lines, at) => [...lines.slice(at), ...lines.slice(0, at)]),
  inLines('line ends converted', (lines) => lines.map((line) => `${line}\r`)),
  removed,
  fromElsewhere,
  fromElsewhere,
  moved,
  olderVersion,
  inJournal(fromElsewhere),
  inJournal(fromItsMiddle),
  inJournal(fromItsMiddle),
  inJournal(olderVersion),
]

/** Bytes that something was written to: most of a journal is filler. */
function usedOf(bytes: Buffer): number {
  return Math.max(1, bytes.findLastIndex((byte) => byte !== 10) + 2)
}

function inBytes(what: string, change: (bytes: Buffer, at: number, random: Random) => Buffer): Change {
  return ({ directory, name, random }) => {
    const path = join(directory, name)
    const bytes = readFileSync(path)
    if (bytes.length === 0) return undefined
    const at = Math.min(bytes.length - 1, Math.floor(random() * usedOf(bytes)))
    put(path, change(bytes, at, random))
    return `${what} at ${at} of ${name}`
  }
}

function inLines(what: string, change: (lines: string[], at: number) => string[]): Change {
  return ({ directory, name, random }) => {
    const path = join(directory, name)
    const bytes = readFileSync(path)
    const used = usedOf(bytes) - 1
    const lines = bytes.subarray(0, used).toString('latin1').split('\n')
    const at = Math.floor(random() * lines.length)
    const made = Buffer.from(change(lines, at).join('\n'), 'latin1')
    // A journal keeps its length: it is the content that somebody has edited.
    const filler = Buffer.alloc(Math.max(0, name.endsWith('.jsonl') ? bytes.length - made.length : 1), '\n')
    put(path, Buffer.concat([made, filler]))
    return `${what}, line ${at} of ${name}`
  }
}

function flip(bytes: Buffer, at: number, random: Random): Buffer {
  const changed = Buffer.from(bytes)
  changed[at] = (changed[at] as number) ^ (1 << Math.floor(random() * 8))
  return changed
}

const sector = 512

function withSector(bytes: Buffer, at: number, content: number): Buffer {
  const changed = Buffer.from(bytes)
  const start = at - (at % sector)
  changed.subarray(start, start + sector).fill(content)
  return changed
}

/** Newlines, brackets, checksums and seqs are few, and matter most. */
function flipFrame(bytes: Buffer, at: number, random: Random): Buffer {
  const line = bytes.indexOf(10, at)
  return flip(bytes, Math.min(bytes.length - 1, Math.max(0, line + Math.floor(random() * 60) - 12)), random)
}

function removed({ directory, name, names }: Victim): string | undefined {
  if (names.length < 2) return undefined
  rmSync(join(directory, name))
  return `${name} removed`
}

/** The file of another session, of the same kind if there is one. */
function fromElsewhere({ directory, name, sample, samples, random }: Victim): string | undefined {
  const kind = name.slice(name.indexOf('.'))
  const others = samples.filter((other) => other !== sample && other.names.some((each) => each.endsWith(kind)))
  if (others.length === 0) return undefined
  const other = pick(others, random)
  const source = other.names.find((each) => each.slice(each.indexOf('.')) === kind)
  if (source === undefined) return undefined
  put(join(directory, name), readFileSync(join(other.directory, source)))
  return `${source} of ${other.session} as ${name}`
}

/** Lines of a journal of another session, without those before them; nothing in them names a session. */
function fromItsMiddle({ directory, name, sample, samples, random }: Victim): string | undefined {
  const other = pick(samples, random)
  const source = other.names.find((each) => each.endsWith('.jsonl'))
  if (other === sample || source === undefined) return undefined
  const bytes = readFileSync(join(other.directory, source))
  const lines = bytes.toString('latin1').split('\n')
  const from = 1 + Math.floor(random() * lines.findLastIndex((line) => line !== ''))
  const piece = Buffer.from(lines.slice(from).join('\n'), 'latin1')
  put(join(directory, name), Buffer.concat([piece, Buffer.alloc(bytes.length - piece.length, '\n')]))
  return `${source} of ${other.session} from line ${from} on as ${name}`
}

/** To the journal, if it is there, whichever file was chosen. */
function inJournal(change: Change): Change {
  return (victim) => {
    const journal = victim.names.find((name) => name.endsWith('.jsonl'))
    return journal && change({ ...victim, name: journal })
  }
}

/** Another file of the same session under this name. */
function moved({ directory, name, names, random }: Victim): string | undefined {
  const other = pick(names, random)
  if (other === name) return undefined
  put(join(directory, name), readFileSync(join(directory, other)))
  return `${other} as ${name}`
}

function olderVersion({ directory, name, sample, random }: Victim): string | undefined {
  const versions = sample.older.get(name) ?? []
  if (versions.length === 0) return undefined
  put(join(directory, name), pick(versions, random))
  return `an older ${name}`
}

/** Under the name, without touching what else it is a name of. */
function put(path: string, bytes: Buffer): void {
  rmSync(path, { force: true })
  writeFileSync(path, bytes)
}
