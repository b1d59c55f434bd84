import { readFileSync, writeFileSync } from 'node:fs'
import { type EventInput, Session } from '@loader/session-core'
import { describe, expect, test } from 'vitest'
import { custom, environment, linesOf, load, place, turn } from './sample-sessions.ts'

/** A turn that was killed while a call ran. */
const cutOff: readonly EventInput[] = [
  { type: 'input.queued', inputId: 'in_b', text: 'Make it' },
  { type: 'turn.started', turnId: 'turn_b', inputId: 'in_b' },
  { type: 'model.asked', requestId: 'req_b', purpose: 'answer', attempt: 1 },
  {
    type: 'model.answered',
    requestId: 'req_b',
    content: [{ type: 'call', call: { id: 'call_b', name: 'bash', input: { command: 'make' } } }],
    finishReason: 'tool-calls',
  },
  { type: 'call.examined', callId: 'call_b', effect: 'unknown', command: 'make' },
  { type: 'tool.started', callId: 'call_b' },
  { type: 'tool.finished', callId: 'call_b', outcome: 'ok', text: 'Made' },
  { type: 'model.asked', requestId: 'req_c', purpose: 'answer', attempt: 1 },
]

describe('the row of a session that goes on over a gap says so', () => {
  test('when it is looked at, and once it has gone on', async () => {
    await using at = await place({ rotateAfterBytes: 256 * 1024 })
    const session = await Session.open(at.store, { environment, id: 'one' })
    for (const input of [...turn('a', 'Hello'), ...cutOff]) await session.append(input)
    const lost = (await linesOf(at.store, 'one')).findIndex((line) => line.includes('tool.started')) + 1
    const path = at.path('one.journal.jsonl')
    writeFileSync(
      path,
      readFileSync(path, 'latin1').replace('"type":"tool.started"', '"t?pe":"tool.started"'),
      'latin1',
    )
    const gaps = [{ first: lost, last: lost }]
    expect((await at.store.list({ check: true })).rows).toMatchObject([{ id: 'one', status: 'open', gaps }])
    const next = await load(at.store, 'one', { takeover: true })
    await next.close()
    expect((await at.store.list()).rows).toMatchObject([{ id: 'one', status: 'open', gaps }])
  })

  test('also when the saved state covers what is lost, and not where nothing is', async () => {
    await using at = await place({ rotateAfterBytes: 256 * 1024 })
    const session = await Session.open(at.store, { environment, id: 'one' })
    for (const input of turn('a', 'Hello')) await session.append(input)
    await session.close()
    expect((await at.store.list({ check: true })).rows[0]).not.toHaveProperty('gaps')
    const path = at.path('one.journal.jsonl')
    writeFileSync(
      path,
      readFileSync(path, 'latin1').replace('"type":"turn.started"', '"t?pe":"turn.started"'),
      'latin1',
    )
    expect((await at.store.list({ check: true })).rows).toMatchObject([
      { id: 'one', status: 'resting', gaps: [{ first: 4, last: 4 }] },
    ])
  })
})

describe('a spoilt record of a killed turn', () => {
  test.each([
    ['the call itself', '"type":"model.answered","seq":11'],
    ['the start of the call', '"type":"tool.started"'],
    ['the end of the call', '"type":"tool.finished"'],
    ['the start of the turn', '"type":"turn.started","seq":9'],
  ])('costs itself only: %s', async (_what, needle) => {
    await using at = await place({ rotateAfterBytes: 256 * 1024 })
    const session = await Session.open(at.store, { environment, id: 'one' })
    for (const input of [...turn('a', 'Hello'), ...cutOff]) await session.append(input)
    const lines = await linesOf(at.store, 'one')
    const lost = lines.findIndex((line) => line.includes(needle)) + 1
    const path = at.path('one.journal.jsonl')
    writeFileSync(path, readFileSync(path, 'latin1').replace(needle, needle.replace('type', 't?pe')), 'latin1')
    const damaged = readFileSync(path)
    const next = await load(at.store, 'one', { takeover: true })
    expect(next.recovery.findings.map(({ what }) => what)).toEqual(['taken_over', 'damaged_journal', 'lost_events'])
    expect(readFileSync(next.recovery.findings[1]?.kept ?? '').equals(damaged)).toBe(true)
    expect(next.state.gaps).toMatchObject({ ranges: [{ first: lost, last: lost }], open: false })
    expect(next.state.turn?.request?.id).toBe('req_c')
    const results = next.state.messages
      .toArray()
      .flatMap(({ content }) => content.filter(({ type }) => type === 'result'))
    expect(results).toMatchObject([{ callId: 'call_b', outcome: needle.includes('tool.finished') ? 'unknown' : 'ok' }])
    await next.append({ type: 'model.interrupted', requestId: 'req_c', reason: 'crashed' })
    await next.append({ type: 'turn.finished', turnId: next.state.turn?.id ?? '', reason: 'interrupted' })
    await next.append(turn('d', 'It goes on.'))
    await next.close()
    const now = await linesOf(at.store, 'one')
    expect(now.slice(0, lines.length).filter((line, index) => line !== lines[index])).toEqual([
      expect.stringContaining(`{"type":"event.lost","seq":${lost},`),
    ])
    expect(await at.store.verify('one')).toMatchObject({ intact: true })
  })
})

test('in a long turn the snapshot is never more than 64 KiB behind, or its own size', async () => {
  await using at = await place({ rotateAfterBytes: 1024 * 1024 })
  const session = await Session.open(at.store, { environment, id: 'one' })
  await session.append(cutOff.slice(0, 3))
  for (let count = 0; count < 400; count += 1) {
    await session.append(custom(1000))
    const { seq } = JSON.parse(readFileSync(at.path('one.json'), 'utf8'))
    expect((session.state.seq - seq) * 1000).toBeLessThan(66 * 1024)
  }
})
