import { readFileSync } from 'node:fs'
import { type EventInput, parseEvent } from '@loader/session-core'
import { temporaryWorkspace } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { ReplayOutput } from '../src/schemas/replay.ts'
import { loader } from './written/fake-console.ts'
import { writtenSession } from './written/written-session.ts'

const folder = new URL('../../../packages/session-core/test/fixtures/judged-before-trials/', import.meta.url)

/** What the history has after it was opened and claimed, which is done anew. */
function eventsOf(name: string): EventInput[] {
  const lines = readFileSync(new URL(`${name}.jsonl`, folder), 'utf8')
    .split('\n')
    .slice(2, -1)
  return lines.map((line) => {
    const { seq: _seq, at: _at, ...event } = parseEvent(JSON.parse(line))
    return event as EventInput
  })
}

const shown = {
  verified: /It is fixed\.[^]*turn_complete, verified/,
  unverified: /It is fixed\.[^]*turn_complete, unverified/,
  // The answer that claimed more was taken out.
  failed: /verification_retry_budget_exhausted, failed/,
  present: /It is fixed\.[^]*turn_complete, present/,
  answered: /It subtracts\.[^]*turn_complete/,
  'two-turns': /It is fixed\.[^]*turn_complete, verified[^]*It adds\.[^]*turn_complete/,
}

describe('a session that was judged before there were trials', () => {
  test.for(Object.entries(shown))('is shown as what it was: %s', async ([name, expected]) => {
    await using workspace = await temporaryWorkspace()
    await writtenSession(workspace.root, eventsOf(name))
    const { out, code, err } = await loader(['show'], { folder: workspace.root })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(expected)
    expect(out).not.toMatch(/rests on|held|stale/i)
  })

  test.for(Object.keys(shown))('is read by every command that reads, and replayed: %s', async (name) => {
    await using workspace = await temporaryWorkspace()
    await writtenSession(workspace.root, eventsOf(name))
    for (const command of ['timeline', 'why', 'evidence', 'usage', 'export']) {
      const { code, err } = await loader([command], { folder: workspace.root })
      expect({ command, code, err }).toEqual({ command, code: 0, err: '' })
    }
    const { out, code } = await loader(['replay', '--json'], { folder: workspace.root })
    const { divergence, replayed, session } = ReplayOutput.parse(JSON.parse(out))
    expect({ code, divergence, replayed }).toEqual({ code: 0, divergence: null, replayed: session.seq })
  })
})
