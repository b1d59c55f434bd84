import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LoaderError } from '@loader/session-core'

/** The built page: one document, one script, one style. */
export interface PageFiles {
  readonly document: string
  readonly script: string
  readonly style: string
  /** Another one for every build that differs. */
  readonly build: string
}

const documentName = 'index.html'
const scriptName = 'page.js'
const styleName = 'page.css'

/** Reads the page from the folder in which it was built. */
export function readPage(folder: string): PageFiles {
  const [document, script, style] = [documentName, scriptName, styleName].map((name) => textOf(join(folder, name)))
  if (document === undefined || script === undefined || style === undefined) {
    throw new LoaderError('unsupported', `The page is not in ${folder}. Build it: pnpm --dir apps/web build`)
  }
  const hash = createHash('sha256').update(document).update(script).update(style)
  return { document, script, style, build: hash.digest('base64url').slice(0, 12) }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
