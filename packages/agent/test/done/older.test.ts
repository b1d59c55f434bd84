import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { MemoryStore, parseEvent } from '@loader/session-core'
import { ScriptedBackend } from '@loader/test-harness'
import { expect, test } from 'vitest'
import { replaySession } from '../../src/index.ts'
import { localOptions } from '../../src/local.ts'

const folder = new URL('../../../session-core/test/fixtures/judged-before-trials/', import.meta.url)

test.for(['verified', 'unverified', 'failed', 'present', 'answered', 'two-turns'])(
  'a history that was judged before there were trials is folded, and held against no rule of today: %s',
  async (name) => {
    const lines = readFileSync(new URL(`${name}.jsonl`, folder), 'utf8')
      .split('\n')
      .slice(0, -1)
    const history = lines.map((line) => parseEvent(JSON.parse(line)))
    const agent = localOptions({
      backend: new ScriptedBackend(),
      projectRoot: tmpdir(),
      store: new MemoryStore(),
      walls: { use: 'off' },
    })
    const replay = await replaySession(history, { tools: 'stub', agent })
    expect(replay).toEqual({ kind: 'folded', divergence: null, replayed: history.length })
  },
)
