import { lstatSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { LoaderError } from '@loader/session-core'
import { repositoryAbove } from '../git/repository.ts'
import { openFolder } from '../paths/folder.ts'
import { readHeld } from './read-held.ts'

/** The rules of one `.gitignore`, for paths relative to its folder. */
interface RulesOfFolder {
  readonly rules: Ignore | undefined
  /** Whether ripgrep, given this file, leaves out no more than these rules do. */
  readonly isPlain: boolean
  /** A repository begins here: rules from further up do not apply in it. */
  readonly isRepository: boolean
}

const none: RulesOfFolder = { rules: undefined, isPlain: true, isRepository: false }

/**
 * The `.gitignore` rules of a workspace and of the repository around it. A file further down takes precedence;
 * everything in an ignored folder is ignored. Paths are relative to the workspace, with forward slashes.
 */
export class IgnoreRules {
  readonly #root: string
  readonly #folders = new Map<string, RulesOfFolder>()
  readonly #verdicts = new Map<string, boolean>()
  /** Rules from above the workspace, the outermost first, each with the path from there to the workspace. */
  readonly #above: readonly RulesAbove[]

  /**
   * Whether the rules of all folders above, up to the start of the repository, apply here, and ripgrep agrees with
   * them.
   */
  readonly coverParents: boolean

  constructor(root: string) {
    this.#root = root
    const repository = repositoryAbove(root)
    const above = rulesAbove(root, repository)
    // A workspace inside of an ignored folder is still a place to work in.
    const isIgnored = above.some(({ rules, way }) => rules.ignores(way))
    this.#above = isIgnored || repository === undefined ? [] : above
    this.coverParents = this.#above.length === above.length && above.every(({ isPlain }) => isPlain)
  }

  /** Whether ripgrep leaves out no more than the rules of this folder do. */
  isPlainIn(folder: string): boolean {
    return this.#rulesOf(folder).isPlain
  }

  ignoresFolder(path: string): boolean {
    if (path === '') return false
    const known = this.#verdicts.get(path)
    if (known !== undefined) return known
    const verdict = this.ignoresFolder(folderOf(path)) || this.#verdict(path, '/')
    this.#verdicts.set(path, verdict)
    return verdict
  }

  ignoresFile(path: string): boolean {
    return this.ignoresFolder(folderOf(path)) || this.#verdict(path, '')
  }

  /** The decision of the nearest matching rule about a path whose folder is not ignored. */
  #verdict(path: string, end: '/' | ''): boolean {
    for (let folder = folderOf(path); ; folder = folderOf(folder)) {
      const { rules, isRepository } = this.#rulesOf(folder)
      const { ignored, unignored } = rules?.test(below(folder, path) + end) ?? { ignored: false, unignored: false }
      if (ignored || unignored) return ignored
      if (isRepository) return false
      if (folder === '') break
    }
    for (const { rules, way } of this.#above.toReversed()) {
      const { ignored, unignored } = rules.test(way + path + end)
      if (ignored || unignored) return ignored
    }
    return false
  }

  #rulesOf(folder: string): RulesOfFolder {
    const known = this.#folders.get(folder)
    if (known !== undefined) return known
    const path = join(this.#root, folder)
    const read = readRules(path)
    const isRepository = isThere(join(path, '.git'))
    const found = read === undefined && !isRepository ? none : { ...none, ...read, isRepository }
    this.#folders.set(folder, found)
    return found
  }
}

interface RulesAbove {
  readonly rules: Ignore
  readonly isPlain: boolean
  readonly way: string
}

/** From the repository down, or from the root of the file system without a repository. */
function rulesAbove(root: string, repository: string | undefined): RulesAbove[] {
  const found: RulesAbove[] = []
  for (let folder = root; folder !== repository && folder !== dirname(folder);) {
    folder = dirname(folder)
    const read = readRules(folder)
    if (read !== undefined) found.unshift({ ...read, way: `${relative(folder, root).split(sep).join('/')}/` })
  }
  return found
}

const mostRuleBytes = 256 * 1024

function readRules(folder: string): { readonly rules: Ignore; readonly isPlain: boolean } | undefined {
  try {
    using held = openFolder(folder)
    const text = new TextDecoder().decode(readHeld(held, '.gitignore', mostRuleBytes))
    if (text.trim() === '') return undefined
    const lines = text.split(/\r?\n/)
    const rules = ignore({ ignorecase: false, allowRelativePaths: true })
    return { rules: rules.add(lines.filter((line) => !takesForEver(line))), isPlain: !lines.some(isExotic) }
  } catch (error) {
    if (LoaderError.is(error)) return undefined
    throw error
  }
}

/**
 * Whether ripgrep reads a rule differently from git: it treats braces as alternatives, ignores white space that git
 * keeps, and reads some brackets in another way.
 */
function isExotic(rule: string): boolean {
  return rule.includes('{') || /[^\S ]\s*$/.test(rule) || (rule.startsWith('!') && rule.includes('['))
}

/** Whether a rule could take seconds to match a long path. No useful rule is written like that. */
function takesForEver(rule: string): boolean {
  return (rule.match(/\*\*/g) ?? []).length > 3 || rule.length > 1000
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

/** The folder of a path; the workspace itself is the empty path. */
export function folderOf(path: string): string {
  const end = path.lastIndexOf('/')
  return end < 0 ? '' : path.slice(0, end)
}

function below(folder: string, path: string): string {
  return folder === '' ? path : path.slice(folder.length + 1)
}
