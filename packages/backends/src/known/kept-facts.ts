import { constants } from 'node:fs'
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { JsonObject } from '@loader/session-core'
import * as z from 'zod/mini'
import { jsonIn } from '../platform/json-text.ts'
import { lazy } from '../platform/lazy.ts'

/** Beyond this number, the least recently used models are removed. */
const mostModels = 64
const mostBytes = 16 * 1024 * 1024

const Kept = lazy(() =>
  z.object({
    version: z.literal(1),
    models: z.array(z.object({ key: z.string(), facts: JsonObject })),
  }),
)

/**
 * The facts about a model in the file. The file is a cache: if it is missing, unreadable, damaged, or from another
 * version, it counts as empty.
 */
export async function keptFacts(path: string, key: string): Promise<JsonObject | undefined> {
  return (await modelsIn(path)).find((one) => one.key === key)?.facts
}

/** Stores facts as the most recently used. Failing to write the file is ignored. */
export async function keepFacts(path: string, key: string, facts: JsonObject): Promise<void> {
  const others = (await modelsIn(path)).filter((one) => one.key !== key)
  const models = [{ key, facts }, ...others].slice(0, mostModels)
  const temporary = `${path}.${process.pid}-${(written += 1)}`
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    // Renamed when complete, so that readers see the old or the new content.
    await writeFile(temporary, `${JSON.stringify({ version: 1, models })}\n`, { mode: 0o600, flag: 'wx' })
    await rename(temporary, path)
  } catch (error) {
    requireSystemError(error)
    await rm(temporary, { force: true }).catch(requireSystemError)
  }
}

let written = 0

async function modelsIn(path: string): Promise<z.infer<ReturnType<typeof Kept>>['models']> {
  try {
    return Kept().safeParse(jsonIn(await textOf(path))).data?.models ?? []
  } catch (error) {
    requireSystemError(error)
    return []
  }
}

/** Empty for what is no ordinary file: a pipe would be waited for, and a device has no end. */
async function textOf(path: string): Promise<string> {
  await using file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  const facts = await file.stat()
  return facts.isFile() && facts.size <= mostBytes ? await file.readFile('utf8') : ''
}

function requireSystemError(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) throw error
}
