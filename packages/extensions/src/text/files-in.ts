import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, isWithin, readOrdinary } from '@loader/workspace'
import { longestFile } from './front-matter.ts'

/** Where files lie that the user, or a project, wrote for agents. Those of a project can come from a stranger. */
export interface FilePlace {
  readonly folder: string
  readonly origin: 'user' | 'project'
  /** The folder that files must lie in, also behind links; absent for files of the user, whose links may lead anywhere. */
  readonly inside?: string
}

/** The text of a file, or why it is not read. */
export type FileText = { readonly text: string } | { readonly why: string }

/** The entries of a folder, in order; none if it is not there or cannot be read. */
export function entriesOf({ folder, inside }: FilePlace): readonly Dirent[] {
  try {
    if (!staysInside(folder, inside)) return []
    return readdirSync(folder, { withFileTypes: true }).toSorted((one, other) => (one.name < other.name ? -1 : 1))
  } catch (error) {
    if (codeOf(error) !== undefined) return []
    throw error
  }
}

/** Reads a file that was written for agents. */
export function textOf(file: string, { inside }: FilePlace): FileText {
  try {
    if (!staysInside(file, inside)) return { why: 'it is a link that leads out of the project' }
    const text = readOrdinary(file)
    if (text.length > longestFile) return { why: `it is longer than ${longestFile / 1024} KiB` }
    return { text }
  } catch (error) {
    const code = codeOf(error)
    if (code === undefined) throw error
    return { why: `it cannot be read (${code})` }
  }
}

function staysInside(path: string, inside: string | undefined): boolean {
  if (inside === undefined || lstatSync(path, { throwIfNoEntry: false }) === undefined) return true
  return isWithin(realpathSync(inside), realpathSync(path))
}

/** The place of such files in a project, or of the user. */
export function inProject(root: string, ...names: readonly string[]): FilePlace {
  return { folder: join(root, ...names), origin: 'project', inside: root }
}

/** Whether an ordinary file, or a link to one, has this path. A dangling or circular link is neither. */
export function isFile(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true
  } catch (error) {
    if (codeOf(error) !== undefined) return false
    throw error
  }
}
