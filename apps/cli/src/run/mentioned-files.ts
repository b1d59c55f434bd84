import { statSync } from 'node:fs'
import { isAbsolute, relative, resolve, sep } from 'node:path'

/** Where the paths of a message begin, and where those of tools do. */
export interface MentionPlace {
  readonly folder: string
  readonly root: string
}

/** Behind the start or white space, so that an address of a person is none. A name with spaces stands in quotes. */
const mention = /(?<![^\s([{"'`])@(?:"(?<quoted>[^"\n]+)"|(?<plain>[^\s"]+))/g
const behind = /[.,;:!?)\]}'"`]$/

/** The files that words of the user name with an @, as tools name them. What is no file there is something else. */
export function mentionedFiles(words: string, { folder, root }: MentionPlace): string[] {
  const found = [...words.matchAll(mention)].flatMap(({ groups }) => {
    const path = fileIn(groups?.['quoted'] ?? groups?.['plain'] ?? '', folder)
    if (path === undefined) return []
    const inside = relative(root, path)
    return inside.startsWith(`..${sep}`) || isAbsolute(inside) ? path : inside.split(sep).join('/')
  })
  return [...new Set(found)]
}

/** The longest path that systems take. What is longer is pasted text. */
const longestPath = 4096

/** The file, without marks of the sentence behind it. */
function fileIn(written: string, folder: string): string | undefined {
  if (written === '' || written.length > longestPath || written.includes('\0')) return undefined
  const path = resolve(folder, written)
  if (isFile(path)) return path
  return behind.test(written) ? fileIn(written.slice(0, -1), folder) : undefined
}

/** A name that is too long, a link that leads in a circle, or a folder that is shut: none of them is a file. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}
