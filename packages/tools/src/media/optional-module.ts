import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The path of a file of an optional package; undefined where it is not installed. A program in one bundle, such as the
 * command, has the files beside itself, in the folder `media`: they are large, and few runs need them.
 */
export function optionalFile(name: string, file: string): string | undefined {
  const beside = fileURLToPath(new URL(`media/${file}`, import.meta.url))
  if (existsSync(beside)) return beside
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), file)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}
