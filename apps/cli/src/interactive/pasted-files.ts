import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A word, quoted or with escaped spaces, as terminals paste the path of a file that is dropped on them. */
const words = /(?<=^|\s)(?:"(?<double>[^"\n]+)"|'(?<single>[^'\n]+)'|(?<bare>(?:\\.|[^\s\\"'@])(?:\\.|[^\s\\])*))/g
const shown = /\.(?:png|jpe?g|gif|webp|pdf)$/i
const isWhole = /^(?:\/|~\/|file:\/\/|[A-Za-z]:[\\/])/

/**
 * The images and PDF files that a message names by a whole path, to be shown to the model as if an `@` stood before it. A bare
 * name is only a word, because a task about `logo.png` needs no look at it.
 */
export function pastedFiles(text: string, home: string | undefined): string[] {
  const paths = [...text.matchAll(words)].flatMap(({ groups = {} }) => {
    const { double, single, bare } = groups
    const written = double ?? single ?? unescaped(bare ?? '').replace(/[,.;:!?)\]]+$/, '')
    if (!shown.test(written) || !isWhole.test(written)) return []
    const path = resolved(written, home)
    return path !== undefined && isFile(path) ? [path] : []
  })
  return [...new Set(paths)]
}

/** Backslashes divide folders where a path begins with a drive, and escape elsewhere. */
function unescaped(word: string): string {
  return /^[A-Za-z]:\\/.test(word) ? word : word.replaceAll(/\\(.)/g, '$1')
}

function resolved(written: string, home: string | undefined): string | undefined {
  if (written.startsWith('file://')) return URL.canParse(written) ? pathOf(written) : undefined
  if (written.startsWith('~/')) return home === undefined ? undefined : resolve(home, written.slice(2))
  return resolve(written)
}

function pathOf(url: string): string | undefined {
  try {
    return fileURLToPath(url)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}
