import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Immutable } from '@loader/session-core'
import { RoomOutcome } from '@loader/session-core/coding'
import * as z from 'zod'
import { temporaryName } from '../files/temporary.ts'
import { codeOf } from '../paths/system-errors.ts'

/** The result of a run, valid as long as nothing changes that the run could see. */
export const KeptRun = z.object({
  outcome: RoomOutcome,
  told: z.string(),
  /** What files of the tree held after the run, where it changed them. */
  digests: z.record(z.string(), z.string()).optional(),
  run: z.object({
    outcome: z.enum(['passed', 'failed', 'skipped', 'interrupted']),
    exitCode: z.int().nullable(),
    signal: z.string().optional(),
    output: z.string(),
    outputDigest: z.string().optional(),
    startedAt: z.string(),
    finishedAt: z.string(),
  }),
})
export type KeptRun = Immutable<z.infer<typeof KeptRun>>

/** The oldest results beyond this number are removed. */
const mostKept = 400
const longestText = 4 * 1024 * 1024

/** Results of check runs by everything that they could see, in a folder that no command sees. */
export class KeptRuns {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async get(key: unknown): Promise<KeptRun | undefined> {
    const text = await textOf(this.#path(key))
    if (text === undefined) return undefined
    try {
      return KeptRun.safeParse(JSON.parse(text)).data
    } catch (error) {
      // A truncated file counts as missing.
      if (error instanceof SyntaxError) return undefined
      throw error
    }
  }

  async keep(key: unknown, run: KeptRun): Promise<void> {
    const text = JSON.stringify(run)
    if (text.length > longestText) return
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const path = this.#path(key)
    const temporary = `${path}.${temporaryName('x')}`
    await writeFile(temporary, text, { mode: 0o600 })
    await rename(temporary, path)
    await this.#prune()
  }

  async #prune(): Promise<void> {
    const names = await readdir(this.#folder)
    if (names.length <= mostKept) return
    const aged = await Promise.all(
      names.map(async (name) => {
        const path = join(this.#folder, name)
        const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }))
        return { path, mtimeMs }
      }),
    )
    const oldest = aged.toSorted((one, other) => one.mtimeMs - other.mtimeMs).slice(0, names.length - mostKept)
    for (const { path } of oldest) await rm(path, { force: true })
  }

  #path(key: unknown): string {
    return join(this.#folder, `${createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 40)}.json`)
  }
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    return undefined
  }
}
