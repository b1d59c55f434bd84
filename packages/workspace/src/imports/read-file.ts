import { contentHash } from '../files/text.ts'
import type { FileReading } from './file-reading.ts'
import { type Grammar, grammarOfEnding, parse } from './parse.ts'
import type { ProjectFile } from './project-files.ts'
import { readJavaScript } from './read-javascript.ts'
import { readPython } from './read-python.ts'

/** How large a file may be, and how long it may take, before the graph skips it. */
export interface ReadingLimits {
  /** A file that is larger is not read. */
  readonly bytes: number
  /** Time for parsing one file. */
  readonly milliseconds: number
}

/** Why the imports of a file are unknown. */
export type SkipReason = 'unreadable' | 'too_large' | 'not_text' | 'too_deep' | 'too_slow' | 'language'

/** Readings by grammar and content. A `Map` will do; entries never become outdated. */
export interface ReadingCache {
  get(key: string): FileReading | undefined
  set(key: string, reading: FileReading): unknown
}

export type ReadOutcome =
  | { readonly kind: 'read'; readonly reading: FileReading }
  | { readonly kind: 'skipped'; readonly why: SkipReason }
  /** Not a program, as far as can be told. */
  | { readonly kind: 'other' }

/** Endings of files that import others, in languages that are not read. */
const unreadLanguages = new Set(['vue', 'svelte', 'astro', 'mdx', 'coffee', 'ipynb', 'pyx'])

export async function readFile(file: ProjectFile, limits: ReadingLimits, cache: ReadingCache): Promise<ReadOutcome> {
  const name = file.path.slice(file.path.lastIndexOf('/') + 1)
  const ending = /[^.]\.([^.]+)$/.exec(name)?.[1]?.toLowerCase()
  const grammar = ending !== undefined && Object.hasOwn(grammarOfEnding, ending) ? grammarOfEnding[ending] : undefined
  if (grammar === undefined && ending !== undefined) {
    return unreadLanguages.has(ending) ? { kind: 'skipped', why: 'language' } : { kind: 'other' }
  }
  const isScript = grammar === undefined
  if ((file.size ?? 0) > limits.bytes) return isScript ? { kind: 'other' } : { kind: 'skipped', why: 'too_large' }
  const known = file.id === undefined || isScript ? undefined : cache.get(`${grammar}:${file.id}`)
  if (known !== undefined) return { kind: 'read', reading: known }
  const content = await contentOf(file, limits)
  if (content.kind === 'skipped') return isScript && content.why !== 'unreadable' ? { kind: 'other' } : content
  const used = grammar ?? grammarOfScript(content.text)
  return used === undefined ? { kind: 'other' } : parsed(content.text, used, file.id, limits, cache)
}

type Content = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'skipped'; readonly why: SkipReason }

async function contentOf({ read }: ProjectFile, limits: ReadingLimits): Promise<Content> {
  let bytes: string | Uint8Array
  try {
    bytes = await read()
  } catch {
    // The reader belongs to the caller and may fail in any way: only this file is then skipped.
    return { kind: 'skipped', why: 'unreadable' }
  }
  if (bytes.length > limits.bytes) return { kind: 'skipped', why: 'too_large' }
  if (typeof bytes === 'string') return { kind: 'text', text: bytes.replace(/^\ufeff/, '') }
  if (isUtf16(bytes) || bytes.subarray(0, probedBytes).includes(0)) return { kind: 'skipped', why: 'not_text' }
  // Imports stay readable in other encodings that hold ASCII.
  return { kind: 'text', text: new TextDecoder().decode(bytes) }
}

/** How many bytes are searched for the NUL that marks a binary file. */
const probedBytes = 8192

function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
}

async function parsed(
  text: string,
  grammar: Grammar,
  id: string | undefined,
  limits: ReadingLimits,
  cache: ReadingCache,
): Promise<ReadOutcome> {
  const key = `${grammar}:${id ?? contentHash(text)}`
  const known = cache.get(key)
  if (known !== undefined) return { kind: 'read', reading: known }
  const outcome = await parse(grammar, text, limits.milliseconds)
  if (outcome.kind === 'stopped') return { kind: 'skipped', why: outcome.why }
  const reading = await (grammar === 'python' ? readPython : readJavaScript)(outcome.tree, text)
  cache.set(key, reading)
  return { kind: 'read', reading }
}

/** The grammar named by the `#!` line of a script without an ending. */
function grammarOfScript(text: string): Grammar | undefined {
  const [line = ''] = /^#![^\n]{0,200}/.exec(text) ?? []
  if (/\b(node|bun|deno|tsx|ts-node)\b/.test(line))
    return /\b(deno|tsx|ts-node)\b/.test(line) ? 'typescript' : 'javascript'
  return /\bpython[\d.]*\b/.test(line) ? 'python' : undefined
}
