// What it costs to know what imports what in this repository, beside reading its files and hashing them.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { importGraph } from '@loader/workspace'
import { interleave } from './interleave.mjs'
import { figure } from './tools/files.mjs'

export async function figures() {
  const root = new URL('..', import.meta.url)
  const paths = execFileSync('git', ['ls-files', '-z', '*.ts', '*.mjs', '*.json'], { cwd: root, encoding: 'utf8' })
  const files = paths
    .split('\0')
    .filter((path) => path !== '')
    .map((path) => ({ path, read: () => readFileSync(new URL(path, root)) }))
  const cache = new Map()
  await importGraph(files, { cache })
  const speed = await interleave(
    {
      first: () => importGraph(files),
      again: () => importGraph(files, { cache }),
      hashes: () => {
        for (const { read } of files) createHash('sha256').update(read()).digest('hex')
      },
    },
    { rounds: 5, sampleMs: 50 },
  )
  return [
    figure('what imports what, first time, to reading and hashing', speed.ratio('first', 'hashes'), 'x', 300),
    figure('what imports what, again, to reading and hashing', speed.ratio('again', 'hashes'), 'x', 40),
    figure(`first time, ${files.length} files`, speed.medianMs.first, 'ms', null),
    figure('again', speed.medianMs.again, 'ms', null),
    figure('reading and hashing', speed.medianMs.hashes, 'ms', null),
  ]
}
