import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const parent = fileURLToPath(new URL('../../.turbo/bench-data/', import.meta.url))

/** A folder on the disk that the repository is on, with so many source files in it; gone afterwards. */
export async function withTree(count, work) {
  mkdirSync(parent, { recursive: true })
  const root = mkdtempSync(join(parent, 'tree-'))
  try {
    for (let index = 0; index < count; index += 1) writeSource(root, index)
    return await work(root)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

export function git(root, ...args) {
  const who = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.invalid']
  return execFileSync('git', [...who, ...args], { cwd: root, encoding: 'utf8' })
}

export function pathOf(index) {
  return `src/part-${index % 100}/module-${index}.ts`
}

function writeSource(root, index) {
  const path = join(root, pathOf(index))
  if (index < 100) mkdirSync(join(path, '..'), { recursive: true })
  const lines = Array.from({ length: 60 }, (_, line) => `export const value${line} = compute(${index}, ${line})`)
  if (index % 50 === 0) lines[30] = 'export const needle = thread(haystack)'
  writeFileSync(path, `${lines.join('\n')}\n`)
}
