import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { LoaderError } from '@loader/session-core'
import { detectSource } from './detect.ts'
import { parseSource } from './parse-source.ts'
import { type Neighbours, noNeighbours, type SourceFile } from './source/source-file.ts'

/** The file that is meant: itself, or the one in a folder that is a session. Only read, never written. */
export function readSource(path: string): SourceFile {
  if (!isFolder(path)) return { path, text: readText(path), beside: neighboursOf(dirname(path)) }
  const candidates = readdirSync(path)
    .filter((name) => /\.jsonl?$/.test(name))
    .map((name) => join(path, name))
    .filter(isSession)
  const [only, ...others] = candidates
  if (only === undefined)
    throw new LoaderError('invalid_message', `The folder ${path} holds no session that can be imported.`)
  if (others.length === 0) return { path: only, text: readText(only), beside: neighboursOf(path) }
  const names = candidates.slice(0, 5).map((file) => basename(file))
  const more = candidates.length > names.length ? `, and ${candidates.length - names.length} more` : ''
  throw new LoaderError(
    'invalid_config',
    `The folder ${path} holds several sessions: ${names.join(', ')}${more}. Name the file.`,
  )
}

/** Programs leave files behind that hold nothing of what was said. */
function isSession(path: string): boolean {
  const text = readText(path)
  const kind = detectSource(text)
  if (kind === undefined || kind === 'loader') return kind === 'loader'
  try {
    return parseSource(kind, { path, text, beside: noNeighbours }).items.length > 0
  } catch (error) {
    if (LoaderError.is(error, 'invalid_message')) return false
    throw error
  }
}

function neighboursOf(folder: string): Neighbours {
  return {
    read: (path) => textIfThere(join(folder, path)),
    list: (path) => namesIn(join(folder, path)),
  }
}

function isFolder(path: string): boolean {
  const facts = statSync(path, { throwIfNoEntry: false })
  if (facts === undefined) throw new LoaderError('invalid_config', `There is no file or folder ${path} to import.`)
  return facts.isDirectory()
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new LoaderError(
      'invalid_config',
      `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    )
  }
}

const notThere = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES'])

function textIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && notThere.has(String(error.code))) return undefined
    throw error
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && notThere.has(String(error.code))) return []
    throw error
  }
}
