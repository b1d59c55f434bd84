import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type EventOf, type EventType, readSession, type History } from '@loader/session-core'
import { FileSessionStore } from '@loader/session-fs'
import { fromCi } from '@loader/test-tier'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { widthOf } from '../../src/screen/width.ts'

const loader = fileURLToPath(new URL('../../src/loader.ts', import.meta.url))

interface Played {
  readonly output: string
  readonly root: string
  readonly pid: number | undefined
}

async function play(columns: number): Promise<Played> {
  const words = ['--conditions=@loader/source', loader, 'demo', '--fast', '--keep']
  const env = { ...process.env, COLUMNS: String(columns), NO_COLOR: '1' }
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  expect({ errors, code: child.exitCode }).toEqual({ errors: '', code: 0 })
  const root = /-C\s+(\/\S+loader-demo-\w+)/.exec(output)?.[1] ?? ''
  return { output, root, pid: child.pid }
}

function eventsOf<Type extends EventType>(history: History, type: Type): EventOf<Type>[] {
  return history.filter((event): event is EventOf<Type> => event.type === type)
}

describe.runIf(fromCi)('the demo', () => {
  let played: Played
  beforeAll(async () => {
    played = await play(60)
  })
  afterAll(() => rmSync(played.root, { recursive: true, force: true }))

  async function session() {
    const store = new FileSessionStore({ root: played.root })
    const [row] = (await store.list()).rows
    return readSession(store, row?.id ?? '')
  }

  test('says that the model is a script, and leaves nothing wider than the terminal', () => {
    const { output } = played
    expect(output).toMatch(/^This is a demo: the model is a script\./)
    const own = output.slice(0, output.indexOf('The demo folder stays'))
    expect(own.split('\n').filter((line) => widthOf(line) >= 60)).toEqual([])
  })

  test('has really killed a process that held the session, and another has taken it up', async () => {
    const { history } = await session()
    const claims = eventsOf(history, 'session.claimed')
    expect(claims.map(({ epoch }) => epoch)).toEqual([1, 2, 3])
    // What the second one had begun was never ended by it.
    const begun = history.filter(({ seq }) => seq > (claims[1]?.seq ?? 0) && seq < (claims[2]?.seq ?? 0))
    expect(begun.at(-1)?.type).toBe('tool.started')
    const killed = Number(/Process (\d+) got SIGKILL/.exec(played.output)?.[1])
    expect(killed).not.toBe(played.pid)
    expect(() => process.kill(killed, 0)).toThrow('ESRCH')
    expect(played.output).toContain(`Process ${played.pid}, claim 3`)
  })

  test('has settled the call that was cut off as unknown, and has not repeated it blindly', async () => {
    const { history } = await session()
    const [, , third] = eventsOf(history, 'session.claimed')
    const settled = eventsOf(history, 'tool.finished').filter(({ outcome }) => outcome === 'unknown')
    expect(settled).toHaveLength(1)
    const [started] = eventsOf(history, 'tool.started').filter(({ callId }) => callId === settled[0]?.callId)
    expect(started?.seq).toBeLessThan(third?.seq ?? 0)
    expect(settled[0]?.seq).toBeGreaterThan(third?.seq ?? Number.POSITIVE_INFINITY)
    expect(readFileSync(join(played.root, 'published.log'), 'utf8')).toBe('version 1.0.0\n')
    expect(played.output).toContain('published.log has 1 line.')
  })

  test('has earned its "done": a check failed before it passed, and what no check speaks for is not called so', async () => {
    const { history, state } = await session()
    expect(eventsOf(history, 'turn.finished').map(({ judgement }) => judgement?.word)).toEqual(['verified', 'held'])
    const outcomes = eventsOf(history, 'check.finished')
      .filter(({ evidence }) => evidence.command === 'node --test' && evidence.baseline !== true)
      .map(({ evidence }) => evidence.outcome)
    expect(outcomes).toEqual(['failed', 'passed'])
    expect(state.turn).toBeNull()
  })

  test('shows the timeline, the ledger, the evidence and the files', () => {
    for (const head of ['loader timeline', 'loader ledger', 'loader evidence', '.loader/sessions']) {
      expect(played.output).toContain(`\n${head}  `)
    }
    expect(played.output).toMatch(/\.journal\.jsonl/)
  })
})
