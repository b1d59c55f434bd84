#!/usr/bin/env node
import { readFileSync, writeSync } from 'node:fs'
import { enableCompileCache } from './compile-cache.ts'

// What is started. The command itself lies behind an import, so that what Node has compiled of it before is used.
if (!toldVersion(process.argv.slice(2))) {
  enableCompileCache(process.env)
  await import('./main.ts')
}

/**
 * Scripts ask for the version whenever they start. Nothing has to be loaded for that; if it cannot be written, the
 * command says so as it always does.
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
