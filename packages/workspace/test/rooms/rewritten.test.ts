import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fromCi } from '@loader/test-tier'
import { expect, test } from 'vitest'
import { rewrittenIn } from '../../src/rooms/rewritten.ts'

// It takes twenty thousand files.
test.runIf(fromCi)('a run that writes more than is looked at is not taken for one that has changed nothing', () => {
  const base = mkdtempSync(join(tmpdir(), 'loader-rewritten-'))
  try {
    const [written, tree] = [join(base, 'written'), join(base, 'tree')]
    for (const folder of [join(written, 'made'), tree]) mkdirSync(folder, { recursive: true })
    const look = () => rewrittenIn({ written, tree, over: new Map() })
    for (let index = 0; index < 100; index += 1) writeFileSync(join(written, 'made', `${index}`), '')
    expect(look()).toEqual([])
    for (let index = 100; index < 20_001; index += 1) writeFileSync(join(written, 'made', `${index}`), '')
    expect(look()).toEqual(['.'])
  } finally {
    rmSync(base, { recursive: true })
  }
})
