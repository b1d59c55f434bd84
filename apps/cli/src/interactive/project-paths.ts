import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { childVariables, codeOf, harmlessVariables } from '@loader/workspace'

const run = promisify(execFile)
const mostBytes = 32 * 1024 * 1024
const mostWithoutGit = 20_000
const freshMs = 10_000

export interface ListedPaths {
  readonly known: readonly string[]
  /** What git ignores; of a folder that it ignores as a whole, only its name. */
  readonly ignored: readonly string[]
}

/** The files and folders of a project, as they are named in a message. */
export class ProjectPaths {
  readonly #folder: string
  readonly #environment: Readonly<Record<string, string | undefined>>
  #listed: { readonly at: number; readonly paths: Promise<ListedPaths> } | undefined

  constructor(folder: string, environment: Readonly<Record<string, string | undefined>>) {
    this.#folder = folder
    this.#environment = environment
  }

  /** A list that is older than some seconds is made anew. */
  list(): Promise<ListedPaths> {
    if (this.#listed === undefined || Date.now() - this.#listed.at > freshMs) {
      this.#listed = { at: Date.now(), paths: this.#all() }
    }
    return this.#listed.paths
  }

  async #all(): Promise<ListedPaths> {
    const [listed, ignored = []] = await Promise.all([
      this.#git('--cached', '--others', '--exclude-standard'),
      this.#git('--others', '--ignored', '--exclude-standard', '--directory'),
    ])
    const files = listed ?? (await filesBelow(this.#folder))
    return { known: [...new Set([...foldersOf(files), ...files])], ignored }
  }

  /** Undefined where git cannot tell. */
  async #git(...words: readonly string[]): Promise<string[] | undefined> {
    const options = {
      cwd: this.#folder,
      maxBuffer: mostBytes,
      env: harmlessVariables(childVariables({ variables: this.#environment }), this.#folder),
    }
    try {
      const { stdout } = await run('git', ['ls-files', '-z', ...words], options)
      return stdout.split('\0').filter((path) => path !== '')
    } catch (error) {
      if (error instanceof Error) return undefined
      throw error
    }
  }
}

/** The folders of files, with a slash at the end, each before what is in it. */
function foldersOf(files: readonly string[]): string[] {
  const folders = new Set<string>()
  for (const file of files) {
    for (let end = file.indexOf('/'); end >= 0; end = file.indexOf('/', end + 1)) folders.add(file.slice(0, end + 1))
  }
  return [...folders]
}

async function filesBelow(root: string): Promise<string[]> {
  const files: string[] = []
  const folders = [root]
  for (const folder of folders) {
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
      if (codeOf(error) === undefined) throw error
      return []
    })
    for (const entry of entries) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
      const path = join(folder, entry.name)
      if (entry.isDirectory()) folders.push(path)
      else if (entry.isFile()) files.push(relative(root, path).split(sep).join('/'))
    }
    if (files.length > mostWithoutGit) return files
  }
  return files
}
