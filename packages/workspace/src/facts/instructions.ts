import { textInside } from './marker-files.ts'

/** In each folder the first of these that exists is used. */
const names = ['AGENTS.md', 'CLAUDE.md']
/** Longer files would fill the context window of a model. */
const longestText = 64 * 1024

export interface Instructions {
  readonly path: string
  readonly text: string
}

/** Instruction files from the root down to a folder, outermost first; inner ones are the more specific. */
export async function instructionsFor(root: string, cwd: string): Promise<readonly Instructions[]> {
  const below = cwd.split('/').filter((name) => name !== '' && name !== '.')
  const found: Instructions[] = []
  for (let depth = 0; depth <= below.length; depth += 1) {
    const instructions = await instructionsIn(root, below.slice(0, depth))
    if (instructions !== undefined) found.push(instructions)
  }
  return found
}

async function instructionsIn(root: string, folder: readonly string[]): Promise<Instructions | undefined> {
  for (const name of names) {
    const path = [...folder, name].join('/')
    const text = await textInside(root, path)
    if (text !== undefined && text.trim() !== '') return { path, text: bounded(text) }
  }
  return undefined
}

function bounded(text: string): string {
  if (text.length <= longestText) return text
  return `${text.slice(0, longestText).replace(/[\uD800-\uDBFF]$/, '')}\n[… ${text.length - longestText} more characters]`
}
