#!/usr/bin/env node
import { readFileSync, writeSync } from 'node:fs'
import { enableCompileCache } from './compile-cache.ts'
import { wrongNode } from './doctor/needed-node.ts'

// The entry point, which is built so that an old Node can read it. The command is imported lazily, so that the compile
// cache applies to it.
const wrong = wrongNode(process.versions.node)
if (wrong !== undefined) {
  process.stderr.write(`loader: ${wrong}\n`)
  process.exitCode = 2
} else if (!toldVersion(process.argv.slice(2))) {
  enableCompileCache(process.env)
  void import('./main.ts')
}

/**
 * Answers `--version` without loading the command, because scripts ask for it at every start. If it cannot be written,
 * the command runs as usual and reports the error.
 */
function toldVersion(words: readonly string[]): boolean {
  const [word] = words
  if (words.length !== 1 || (word !== '--version' && word !== '-v')) return false
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  try {
    writeSync(1, `${version}\n`)
    return true
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return false
    throw error
  }
}
