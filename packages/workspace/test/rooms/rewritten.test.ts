import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fromCi } from '@loader/test-tier'
import { expect, test } from 'vitest'
import { digestOfFile, rewrittenIn } from '../../src/rooms/rewritten.ts'

// It takes twenty thousand files.
test.runIf(fromCi)('a run that writes more than is looked at is not taken for one that has changed nothing', () => {
  const base = mkdtempSync(join(tmpdir(), 'loader-rewritten-'))
  try {
    const [written, tree] = [join(base, 'written'), join(base, 'tree')]
    for (const folder of [join(written, 'made'), tree]) mkdirSync(folder, { recursive: true })
    const look = () => rewrittenIn({ written, tree, over: new Map() }).rewritten
    for (let index = 0; index < 100; index += 1) writeFileSync(join(written, 'made', `${index}`), '')
    expect(look()).toEqual([])
    for (let index = 100; index < 20_001; index += 1) writeFileSync(join(written, 'made', `${index}`), '')
    expect(look()).toEqual(['.'])
  } finally {
    rmSync(base, { recursive: true })
  }
})

test('of what a run changed, it is known what it holds now; of what it removed, nothing', () => {
  const base = mkdtempSync(join(tmpdir(), 'loader-rewritten-'))
  try {
    const [written, tree] = [join(base, 'written'), join(base, 'tree')]
    for (const [folder, text] of [
      [written, 'new'],
      [tree, 'old'],
    ] as const) {
      mkdirSync(folder)
      for (const name of ['a.txt', 'same.txt']) writeFileSync(join(folder, name), name === 'a.txt' ? text : 'same')
    }
    writeFileSync(join(tree, 'gone'), 'old')
    mkdirSync(join(written, 'gone'))
    const { rewritten, digests } = rewrittenIn({ written, tree, over: new Map() })
    expect(rewritten).toEqual(['a.txt', 'gone'])
    expect([...digests]).toEqual([['a.txt', digestOfFile('new')]])
  } finally {
    rmSync(base, { recursive: true })
  }
})
