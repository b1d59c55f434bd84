import type { EventInput } from '@loader/session-core'
import { temporaryWorkspace } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { ShowOutput } from '@loader/readings'
import { widthOf } from '../src/screen/width.ts'
import { damage } from './written/damage.ts'
import { loader } from './written/fake-console.ts'
import { workedSession } from './written/worked-session.ts'
import { exchange, openSession, startedCall, writtenSession } from './written/written-session.ts'

describe('a conversation', () => {
  test('has what was said, the calls with their changes and outcomes, and how the turn ended', async () => {
    await using workspace = await temporaryWorkspace()
    await workedSession(workspace)
    const { out, code } = await loader(['show'], { folder: workspace.root })
    expect(code).toBe(0)
    expect(out.replace(/\d{4}-\d\d-\d\d [\d:]+/g, 'TIME').replace(/\d+ ms/, 'SOME ms')).toMatch(
      /You · TIME · #\d+\n {2}Create hello\.txt in the workspace root\.\n\nModel · TIME · #\d+ · scripted\/model\n {2}I create the file\.\n {2}> write hello\.txt \[ok\]\n {4}\+hello\n {4}Created hello\.txt/,
    )
    expect(out).toMatch(/-- turn_complete, verified · 2 requests · 2\.6k tokens/)
  })

  test('is that of the session that is named by id, beginning of the id, or title', async () => {
    await using workspace = await temporaryWorkspace()
    const first = await writtenSession(workspace.root, exchange(1, 'One', 'Uno'), 'First')
    await writtenSession(workspace.root, exchange(1, 'Two', 'Due'), 'Second')
    for (const words of [[first], ['first'], ['FIRST'], [first.slice(0, -1)]]) {
      expect((await loader(['show', ...words], { folder: workspace.root })).out).toContain('Uno')
    }
    expect(await loader(['show', 'third'], { folder: workspace.root })).toMatchObject({ code: 1, out: '' })
  })

  test('of an open turn has a head that goes as far as what is below it', async () => {
    await using workspace = await temporaryWorkspace()
    await using session = await openSession(workspace.root)
    await session.append(exchange(1, 'Say something', 'Hello'))
    for (const command of ['show', 'why', 'status']) {
      const { out } = await loader([command], { folder: workspace.root })
      expect(out).toMatch(/^Say something$/m)
      expect(out).toContain('1 turn')
    }
  })

  test('can be shown as it was after an event', async () => {
    await using workspace = await temporaryWorkspace()
    await writtenSession(workspace.root, [...exchange(1, 'One', 'Uno'), ...exchange(2, 'Two', 'Due')])
    const { out } = await loader(['show', '--at', '7'], { folder: workspace.root })
    expect(out).toContain('Uno')
    expect(out).not.toContain('Two')
    const early = await loader(['show', '--at', '4', '--json'], { folder: workspace.root })
    expect(ShowOutput.parse(JSON.parse(early.out))).toMatchObject({ at: 4, entries: [], waiting: [{ text: 'One' }] })
    const late = await loader(['show', '--at', '99'], { folder: workspace.root })
    expect(late).toMatchObject({ code: 2, out: '' })
    expect(late.err).toContain('its events end at 12')
  })

  test('leaves out what the model no longer sees, says so, and shows it on request', async () => {
    await using workspace = await temporaryWorkspace()
    await writtenSession(workspace.root, [...exchange(1, 'Early words', 'Early answer'), compaction])
    const short = await loader(['show'], { folder: workspace.root })
    expect(short.out).toContain('[2 messages not shown that the model no longer sees: --full]')
    expect(short.out).not.toContain('Early answer')
    const full = await loader(['show', '--full'], { folder: workspace.root })
    expect(full.out).toMatch(/Model · .* · folded · test\/model\n {2}Early answer/)
    expect(full.out).toContain('What was said before.')
  })

  test('cuts long results, and shows them in full on request', async () => {
    await using workspace = await temporaryWorkspace()
    const result = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`).join('\n')
    await writtenSession(workspace.root, [
      ...startedCall(1, 'bash', { command: 'seq 40' }),
      { type: 'tool.finished', callId: 'call_1', outcome: 'ok', text: result },
    ])
    const short = await loader(['show'], { folder: workspace.root })
    expect(short.out).toContain('... 34 more lines: --full')
    expect(short.out).not.toContain('line 40')
    expect((await loader(['show', '--full'], { folder: workspace.root })).out).toContain('line 40')
  })

  test('has long texts, which lie beside the events, in full on request', async () => {
    await using workspace = await temporaryWorkspace()
    await using session = await openSession(workspace.root)
    const text = await session.storeText(`begin ${'x'.repeat(100_000)} end`)
    await session.append([
      ...startedCall(1, 'read', { path: 'big.txt' }),
      { type: 'tool.finished', callId: 'call_1', outcome: 'ok', text },
    ])
    await session.save()
    const result = async (...words: string[]) => {
      const { out } = await loader(['show', '--json', ...words], { folder: workspace.root })
      const entry = ShowOutput.parse(JSON.parse(out)).entries.find(({ kind }) => kind === 'message')
      const answer = ShowOutput.parse(JSON.parse(out)).entries.find(
        (each) => each.kind === 'message' && each.calls.length > 0,
      )
      return entry && answer?.kind === 'message' ? (answer.calls[0]?.result ?? '') : ''
    }
    expect(await result()).toContain('[100010 bytes in all]')
    expect(await result('--full')).toHaveLength(100_010)
  })

  test('of a turn that is under way shows what has arrived and what waits', async () => {
    await using workspace = await temporaryWorkspace()
    await using session = await openSession(workspace.root)
    await session.append([
      ...exchange(1, 'Hi', 'Hello').slice(0, 3),
      { type: 'answer.progressed', requestId: 'req_1', text: 'Half an ans' },
      { type: 'input.queued', inputId: 'in_9', text: 'And another thing', source: 'steering' },
    ])
    const { out } = await loader(['show'], { folder: workspace.root })
    expect(out).toContain('Arriving\n  Half an ans')
    expect(out).toContain('You, waiting\n  And another thing')
  })

  test('says why a call was denied, and that the outcome of another is unknown', async () => {
    await using workspace = await temporaryWorkspace()
    const denied: EventInput[] = [
      ...startedCall(1, 'bash', { command: 'rm -rf /' }).slice(0, -1),
      { type: 'permission.decided', callId: 'call_1', permit: 'deny', by: 'policy', reason: 'it removes everything' },
      { type: 'tool.finished', callId: 'call_1', outcome: 'denied', text: 'Not allowed.' },
    ]
    await writtenSession(workspace.root, denied)
    const { out } = await loader(['show'], { folder: workspace.root })
    expect(out).toContain('> bash rm -rf / [denied]\n    denied: it removes everything\n    Not allowed.')
  })

  test.each([60, 80])('keeps its lines within %i columns, and sends no control characters', async (columns) => {
    await using workspace = await temporaryWorkspace()
    const wild = `\u001b]0;title\u0007 ${'漢字'.repeat(80)} \u009b31m ${'word '.repeat(50)}\u202e`
    await writtenSession(workspace.root, [
      ...exchange(1, wild, wild),
      ...startedCall(2, 'bash', { command: wild }),
      { type: 'tool.finished', callId: 'call_2', outcome: 'failed', text: wild },
    ])
    const { out } = await loader(['show', '--full'], { folder: workspace.root, columns })
    for (const text of out.split('\n')) expect(widthOf(text)).toBeLessThanOrEqual(columns)
    // eslint-disable-next-line no-control-regex
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  })

  test('of a damaged session is shown as far as it is intact, with where to look', async () => {
    await using workspace = await temporaryWorkspace()
    const id = await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'))
    damage(workspace.root, id)
    const { code, err } = await loader(['show', id], { folder: workspace.root })
    expect(code).toBe(0)
    expect(err).toContain(`loader verify ${id}`)
  })

  test('is coloured when that is asked for, and plain text otherwise', async () => {
    await using workspace = await temporaryWorkspace()
    await workedSession(workspace)
    const plain = await loader(['show'], { folder: workspace.root })
    const coloured = await loader(['show', '--color', 'always'], { folder: workspace.root })
    // eslint-disable-next-line no-control-regex
    const colours = /\u001b\[\d+m/g
    expect(plain.out).not.toMatch(colours)
    expect(coloured.out).toMatch(colours)
    const bare = (text: string) => text.replace(/just now|\d+ s ago/g, '')
    expect(bare(coloured.out.replace(colours, ''))).toBe(bare(plain.out))
  })
})

const compaction: EventInput = {
  type: 'context.compacted',
  messageId: 'sum_1',
  text: 'What was said before.',
  method: 'local',
  firstKept: null,
  removed: 2,
  tokensBefore: 10,
  tokensAfter: 5,
}
