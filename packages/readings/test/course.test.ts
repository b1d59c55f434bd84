import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type EventInput,
  fold,
  type History,
  parseEvent,
  reduce,
  type SessionState,
  type StoredEvent,
} from '@loader/session-core'
import { goalOfTurn, verdictOf } from '@loader/workflow'
import { structuredPatch } from 'diff'
import { describe, expect, test } from 'vitest'
import {
  conversationOf,
  courseOf,
  filesReading,
  nextMove,
  readPatch,
  recoveryReading,
  requestsReading,
  timelineReading,
  truthReading,
  windowParts,
  windowReading,
} from '../src/index.ts'

const history: History = readFileSync(join(import.meta.dirname, 'sessions', 'invoices.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => parseEvent(JSON.parse(line)))
const whole = fold(history) as SessionState
const prefixes = history.map((_, index) => history.slice(0, index + 1))

function then(before: History, ...events: readonly EventInput[]): History {
  const at = before.at(-1)?.at ?? '2026-01-01T00:00:00.000Z'
  return [...before, ...events.map((event, index) => ({ ...event, seq: before.length + index + 1, at }) as StoredEvent)]
}

describe('background commands and hooks', () => {
  const claimed = { type: 'session.claimed', epoch: 99, owner: { program: 'loader' } } as EventInput
  const ran = { command: 'fmt', source: 's', origin: 'user', given: 'sha256:0', ended: 'exited', exitCode: 1 } as const
  const more = then(
    history,
    {
      type: 'background.started',
      id: 'bg1',
      command: 'npm start',
      cwd: '/p',
      reach: 'work',
      startedAt: '2026-01-01T00:00:00.000Z',
    },
    { type: 'background.listened', id: 'bg1', ports: [{ port: 4173, on: 'session' }] },
    claimed,
    { type: 'port.published', id: 'bg1', port: 4173, hostPort: 5000 },
    { type: 'background.ended', id: 'bg1', how: 'stopped' },
    {
      type: 'hook.finished',
      hook: 'fmt',
      on: 'stop',
      decision: 'continue',
      note: 'it ended with code 1',
      ran: { ...ran, durationMs: 700, reach: 'work' },
    },
    { type: 'hook.finished', hook: 'quiet', on: 'stop', decision: 'continue' },
  )

  test('stand in the timeline, in what is shown, and among what took time; a claim cuts none of them off', () => {
    const { background, hooks } = timelineReading(more, whole)
    expect(background.map(({ text }) => text)).toEqual([
      'bg1 goes on: npm start',
      'bg1 listens on port 4173',
      'bg1 can be reached: port 4173 at http://127.0.0.1:5000',
      expect.stringContaining('bg1'),
    ])
    expect(hooks.map(({ text }) => text)).toEqual([
      'hook fmt (stop): it ended with code 1',
      'hook quiet (stop): nothing to say',
    ])
    expect(conversationOf(more).flatMap((entry) => (entry.kind === 'hook' ? [entry.hook] : []))).toEqual(['fmt'])
    const spans = courseOf(more).spans.filter(({ kind }) => kind === 'background' || kind === 'hook')
    expect(spans).toMatchObject([
      { kind: 'background', title: 'bg1: npm start', outcome: 'stopped' },
      { kind: 'hook', outcome: 'continue' },
      { kind: 'hook' },
    ])
    expect(spans[0]?.cutBy).toBeUndefined()
    expect((spans[1]?.to ?? 0) - (spans[1]?.from ?? 0)).toBe(700)
  })
})

describe('the course of a session', () => {
  const { spans, absences, marks, from, to } = courseOf(history)

  test('has a span for everything that began, from its beginning to its end', () => {
    const began = ['turn.started', 'model.asked', 'tool.started', 'check.started']
    expect(spans.map(({ seq }) => history[seq - 1]?.type)).toEqual(
      history.map(({ type }) => type).filter((type) => began.includes(type)),
    )
    for (const span of spans) {
      expect(span.endSeq).toBeGreaterThan(span.seq)
      expect(span.to).toBeGreaterThanOrEqual(span.from)
      expect(span.from).toBeGreaterThanOrEqual(from)
      expect(span.to).toBeLessThanOrEqual(to)
    }
  })

  test('says of one call that its process ended, and between whose events nobody worked', () => {
    const cut = spans.filter(({ cutBy }) => cutBy !== undefined)
    expect(cut).toMatchObject([{ kind: 'call', title: 'bash node tools/publish.js', outcome: 'unknown' }])
    expect(absences).toEqual([
      { from: cut[0]?.to, to: Date.parse(history[(cut[0]?.cutBy ?? 0) - 1]?.at ?? ''), seq: cut[0]?.cutBy },
    ])
  })

  test('marks the claims and the compaction', () => {
    expect(marks.filter(({ kind }) => kind === 'claim')).toHaveLength(5)
    expect(marks.filter(({ kind }) => kind === 'compaction')).toHaveLength(1)
  })
})

describe('criteria over time', () => {
  test('stood at every event as the verdict on them was then', () => {
    let state: SessionState | null = null
    for (const [index, event] of history.entries()) {
      state = reduce(state, event)
      const { lanes } = truthReading(prefixes[index] ?? [])
      const now = lanes.flatMap(({ criterion, stretches }) => {
        const last = stretches.at(-1)
        return last === undefined || last.to !== null
          ? []
          : [{ id: criterion.id, verdict: last.verdict, reasons: last.reasons }]
      })
      const after: SessionState = state
      const expected = (goalOfTurn(after)?.criteria ?? []).map((criterion) => {
        const { verdict, reasons } = verdictOf(criterion, after)
        return { id: criterion.id, verdict, reasons }
      })
      expect(now).toEqual(expected)
    }
  })

  test('have every run of their checks, with what it showed', () => {
    const { lanes } = truthReading(history)
    const runs = lanes.flatMap((lane) => lane.runs)
    expect(runs).toHaveLength(history.filter(({ type }) => type === 'check.finished').length)
    expect(runs.every(({ evidence, isCutOff }) => evidence !== null && !isCutOff)).toBe(true)
    expect(lanes[0]?.stretches.map(({ word }) => word)).toContain('stale')
  })
})

describe('recovery', () => {
  test('names what was under way, wherever the process ended', () => {
    for (const before of prefixes.slice(1)) {
      const state = fold(before) as SessionState
      const claimed = then(before, {
        type: 'session.claimed',
        epoch: state.epoch + 1,
        owner: { type: 'Agent', path: 'public-agent' },
      })
      const [ended, next] = recoveryReading(claimed).slice(-2)
      const { turn, runningCheck } = state
      const expected = [
        ...(turn?.request?.status === 'asked' ? [`request ${turn.request.id}`] : []),
        ...(turn?.calls ?? []).flatMap(({ call, startedEpoch, outcome }) =>
          startedEpoch === state.epoch && outcome === undefined ? [`call ${call.id}`] : [],
        ),
        ...(runningCheck === null ? [] : [`check ${runningCheck.checkId}`]),
      ]
      expect(
        ended?.cut.map(({ kind, id }) => `${kind} ${id}`),
        `after event ${state.seq}`,
      ).toEqual(expected)
      expect(ended?.cut.every(({ became }) => became === 'open')).toBe(true)
      expect(ended?.ended).toBe(turn === null ? 'rested' : 'cut_off')
      expect(next).toMatchObject({ epoch: state.epoch + 1, ended: 'latest', cut: [] })
    }
  })

  test('a question that waits is not cut off, and neither is it by whoever brings the answer', () => {
    const owner = { type: 'Agent', path: 'public-agent' }
    const claim = (epoch: number): EventInput => ({ type: 'session.claimed', epoch, owner })
    const asked = { type: 'question.asked', questionId: 'q_1', kind: 'question', text: 'Which colour?' } as const
    const answered: EventInput = { type: 'question.answered', questionId: 'q_1', outcome: 'answered', by: 'user' }
    const titled: EventInput = { type: 'session.titled', title: 'Colours', by: 'user' }
    const begun = then(
      history.slice(0, 2),
      { type: 'input.queued', inputId: 'in_1', text: 'Paint it' },
      { type: 'turn.started', turnId: 'turn_1', inputId: 'in_1' },
      asked,
    )
    const ends = (...more: readonly EventInput[]) => recoveryReading(then(begun, ...more)).map((one) => one.ended)
    expect(ends(claim(2))).toEqual(['waiting', 'latest'])
    expect(ends(claim(2), answered, claim(3))).toEqual(['waiting', 'passed_on', 'latest'])
    expect(ends(claim(2), claim(3), answered, claim(4))).toEqual(['waiting', 'passed_on', 'passed_on', 'latest'])
    // Who has the answer goes on with the turn.
    expect(ends(answered, claim(2), claim(3))).toEqual(['cut_off', 'cut_off', 'latest'])
    expect(ends(claim(2), answered, titled, claim(3))).toEqual(['waiting', 'cut_off', 'latest'])

    // A call that does nothing but ask waits as well; any other one may have done something.
    const running = prefixes.find((before) => before.at(-1)?.type === 'tool.started') ?? []
    const last = running.at(-1)
    const callId = last !== undefined && 'callId' in last ? String(last.callId) : ''
    const asking = running.map((event) =>
      event.type === 'call.examined' && 'callId' in event && event.callId === callId
        ? ({ ...event, question: { text: 'Which colour?' } } as StoredEvent)
        : event,
    )
    const endOf = (before: History) =>
      recoveryReading(then(before, { ...asked, callId }, claim((fold(before)?.epoch ?? 0) + 1))).at(-2)
    expect(endOf(asking)).toMatchObject({ ended: 'waiting', cut: [] })
    expect(endOf(running)).toMatchObject({
      ended: 'cut_off',
      cut: [{ kind: 'call', id: callId }, { kind: 'question' }],
    })
  })

  test('tells what became of it, and what was found out later', () => {
    const cut = recoveryReading(history).flatMap((claim) => claim.cut)
    expect(cut).toMatchObject([
      {
        kind: 'call',
        title: 'bash node tools/publish.js',
        became: 'unknown',
        found: { what: 'nothing had been published', shownBy: 'ls' },
      },
    ])
    expect(history[(cut[0]?.settled?.seq ?? 0) - 1]?.type).toBe('tool.finished')
  })

  test('keeps a part of an answer apart from none', () => {
    const asked = prefixes.find((before) => before.at(-1)?.type === 'answer.progressed') ?? []
    const requestId = fold(asked)?.turn?.request?.id ?? ''
    const claim: EventInput = { type: 'session.claimed', epoch: 2, owner: { type: 'Agent', path: 'public-agent' } }
    const interrupted: EventInput = { type: 'model.interrupted', requestId, reason: 'crashed' }
    const became = (before: History) => recoveryReading(then(before, claim, interrupted))[0]?.cut[0]?.became
    expect(became(asked)).toBe('kept')
    expect(became(asked.slice(0, -1))).toBe('nothing')
  })
})

test('requests add up to what the session has used', () => {
  const requests = requestsReading(history)
  const sum = (of: (usage: NonNullable<(typeof requests)[number]['usage']>) => number | undefined) =>
    requests.reduce((total, { usage }) => total + (usage === null ? 0 : (of(usage) ?? 0)), 0)
  expect(requests).toHaveLength(whole.usage.requests)
  expect(sum(({ inputTokens }) => inputTokens)).toBe(whole.usage.inputTokens)
  expect(sum(({ outputTokens }) => outputTokens)).toBe(whole.usage.outputTokens)
  expect(sum(({ cacheReadTokens }) => cacheReadTokens)).toBe(whole.usage.cacheReadTokens)
  expect(requests.reduce((total, { cost }) => total + (cost?.usd ?? 0), 0)).toBeCloseTo(whole.usage.cost?.usd ?? -1, 9)
})

test('the window is what is sent: near to what the server counted, and smaller behind the compaction', () => {
  const { points, compactions } = windowReading(history)
  expect(points).toHaveLength(whole.usage.requests)
  for (const { parts, reported } of points) {
    const sum = windowParts.reduce((total, part) => total + parts[part], 0)
    if (reported !== null) expect(sum / reported).toBeGreaterThan(0.8)
    if (reported !== null) expect(sum / reported).toBeLessThan(1.25)
  }
  const [compaction] = compactions
  const before = points.findLast(({ seq }) => seq < (compaction?.seq ?? 0))
  const after = points.find(({ seq }) => seq > (compaction?.seq ?? 0))
  expect(after?.parts.results).toBeLessThan(before?.parts.results ?? 0)
  expect(after?.parts.summary).toBeGreaterThan(0)
})

test('a session has a next step in words after each of its events', () => {
  for (const before of prefixes) expect(nextMove(fold(before) as SessionState).said).toMatch(/^It .*\.$/)
})

describe('files', () => {
  test('are told by edit, and what commands did is told apart', () => {
    const files = filesReading(history)
    expect(files.map(({ path }) => path)).toEqual([
      'CHANGELOG.md',
      'published.log',
      'src/total.js',
      'test/total.test.js',
    ])
    expect(files[1]).toMatchObject({ edits: [], seenIn: [{ change: 'added' }] })
    expect(files[2]?.edits).toHaveLength(4)
  })

  test('have the lines that edits left behind, each with its edit, whatever was edited', () => {
    for (let round = 0; round < 60; round += 1) {
      const random = seeded(round)
      const texts = Array.from({ length: 4 }, () => randomLines(random))
      let events: History = []
      for (const [index, after] of texts.entries()) {
        events = [...events, ...editEvents(index, texts[index - 1], after)]
      }
      const [file] = filesReading(events)
      expect(file?.lines.map((line) => line?.text)).toEqual(texts.at(-1))
      for (const line of file?.lines ?? []) expect(texts[line?.edit ?? -1]).toContain(line?.text)
    }
  })

  test('a patch is read as it was written', () => {
    const [file, ...rest] = readPatch(patchOf('a b.txt', ['--- x', 'two', 'three'], ['--- x', '+++ y', 'three']))
    expect(rest).toEqual([])
    expect(file).toMatchObject({ path: 'a b.txt', change: 'modified', added: 1, removed: 1 })
    expect(readPatch('no diff at all\n- a list\n+ of things')).toEqual([])
  })
})

/** Events of a call that writes a file anew, as far as the reading looks at them. */
function editEvents(index: number, before: readonly string[] | undefined, after: readonly string[]): StoredEvent[] {
  const callId = `call_${index}`
  const at = '2026-01-01T00:00:00.000Z'
  const preview = patchOf('a.txt', before, after)
  return [
    { type: 'call.examined', seq: 2 * index + 1, at, callId, effect: 'write', preview },
    { type: 'tool.finished', seq: 2 * index + 2, at, callId, outcome: 'ok', text: '' },
  ] as StoredEvent[]
}

function patchOf(path: string, before: readonly string[] | undefined, after: readonly string[]): string {
  const text = (lines: readonly string[] = []) => lines.map((line) => `${line}\n`).join('')
  const { hunks } = structuredPatch('', '', text(before), text(after), '', '', { context: 3 })
  const start = (from: number, lines: number) => (lines === 0 ? from - 1 : from)
  return [
    `--- ${before === undefined ? '/dev/null' : path}`,
    `+++ ${path}`,
    ...hunks.flatMap((hunk) => [
      `@@ -${start(hunk.oldStart, hunk.oldLines)},${hunk.oldLines} +${start(hunk.newStart, hunk.newLines)},${hunk.newLines} @@`,
      ...hunk.lines,
    ]),
    '',
  ].join('\n')
}

function randomLines(random: () => number): string[] {
  return Array.from({ length: 1 + Math.floor(random() * 24) }, () => `line ${Math.floor(random() * 9)}`)
}

function seeded(seed: number): () => number {
  let state = seed * 2654435761 + 1
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
