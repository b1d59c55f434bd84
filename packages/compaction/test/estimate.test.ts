import { describe, expect, test } from 'vitest'
import type { Message, Part, ToolDescription, Usage } from '@loader/session-core'
import { calibrate, estimateTokens, noCalibration, textTokens } from '../src/index.ts'
import { calibrationOf } from '../src/calibration.ts'
import { messageTokens } from '../src/message-tokens.ts'
import { Recorder } from './recorder.ts'
import { policyWith } from './policy.ts'

const tool: ToolDescription = {
  name: 'read',
  description: 'Reads a file of the workspace and returns its text.',
  inputSchema: { type: 'object', properties: { file_path: { type: 'string' } }, required: ['file_path'] },
}
const model = { model: 'scripted/model', nativeTools: true }

describe('what is counted', () => {
  const message = (...content: Part[]): Message => ({ id: 'm', role: 'tool', origin: 'tool', content, at: '' })
  const bare = { system: '', messages: [], tools: [] }

  test('the system prompt, the schemas of the tools, and the room for the reply', () => {
    const { input, tokens, reply } = estimateTokens({ ...bare, maxOutputTokens: 500 })
    expect({ input, reply, tokens }).toEqual({ input: 1, reply: 500, tokens: 501 })
    const system = 'You are a careful agent. '.repeat(20)
    const prompted = estimateTokens({ ...bare, system }).input
    expect(prompted).toBe(textTokens(system))
    const equipped = estimateTokens({ ...bare, system, tools: [tool, tool] }).input
    expect(equipped - prompted).toBeGreaterThanOrEqual(2 * textTokens(JSON.stringify(tool)))
  })

  test('no reply is left more than a quarter of the window', () => {
    const request = { ...bare, maxOutputTokens: 8192 }
    expect(estimateTokens(request, { contextWindow: 8192 }).reply).toBe(2048)
    expect(estimateTokens(request, { contextWindow: 200_000 }).reply).toBe(8192)
  })

  test('the output of a tool once', () => {
    const text = 'The quick brown fox jumps over the lazy dog. '.repeat(200)
    const tokens = messageTokens(message({ type: 'result', callId: 'c', name: 'read', outcome: 'ok', text }))
    expect(tokens).toBeGreaterThanOrEqual(textTokens(text))
    expect(tokens).toBeLessThan(textTokens(text) * 1.05)
  })

  test('a long text that is kept elsewhere by its length, a picture by a fixed price', () => {
    const blob = message({ type: 'text', text: { blob: 'b', bytes: 80_000, excerpt: 'It begins' } })
    expect(messageTokens(blob)).toBeGreaterThan(19_000)
    const data = 'A'.repeat(1_000_000)
    const picture = message({ type: 'file', mediaType: 'image/png', source: { kind: 'base64', data } })
    expect(messageTokens(picture)).toBeLessThan(5000)
  })

  test('long texts about like short ones, only faster', () => {
    const words = 'const total = items.reduce((sum, item) => sum + item.price, 0)\n'
    const perLine = textTokens(words.repeat(100)) / 100
    expect(textTokens(words.repeat(20_000)) / 20_000 / perLine).toBeCloseTo(1, 1)
  })

  test('every script and unbroken run as something', () => {
    expect(textTokens('你好世界'.repeat(50))).toBeGreaterThan(100)
    expect(textTokens('f3a9'.repeat(100))).toBeGreaterThanOrEqual(100)
    expect(textTokens('')).toBe(0)
  })
})

describe('what servers report', () => {
  test('counts before any guess, and only what has come since is guessed', () => {
    const { recorder, calibration } = session([{ inputTokens: 420, outputTokens: 30 }])
    const first = estimateTokens(requestOf(recorder), { calibration })
    expect(first).toMatchObject({ basis: 'reported', input: 450 })
    recorder.record({ type: 'input.queued', inputId: 'in_next', text: 'one two three four' })
    recorder.record({ type: 'turn.started', turnId: 'turn_next', inputId: 'in_next' })
    recorder.record({ type: 'model.asked', requestId: 'req_next', purpose: 'answer', attempt: 1 })
    const { input } = estimateTokens(requestOf(recorder), { calibration })
    expect(input).toBeGreaterThan(450)
    expect(input).toBeLessThan(470)
  })

  test('reasoning that is not sent back is not counted again', () => {
    const { recorder, calibration } = session([{ inputTokens: 420, outputTokens: 330, reasoningTokens: 300 }])
    expect(estimateTokens(requestOf(recorder), { calibration }).input).toBe(450)
  })

  test('a changed system prompt or set of tools is made up for', () => {
    const { recorder, calibration } = session([{ inputTokens: 420, outputTokens: 30 }])
    const grown = estimateTokens({ ...requestOf(recorder), tools: [tool, tool] }, { calibration })
    expect(grown).toMatchObject({ basis: 'reported' })
    expect(grown.input).toBeGreaterThan(450 + textTokens(JSON.stringify(tool)))
  })

  test('says nothing any more once the window begins otherwise', () => {
    const { recorder, calibration } = session([{ inputTokens: 420, outputTokens: 30 }])
    const request = requestOf(recorder)
    expect(estimateTokens({ ...request, messages: request.messages.slice(1) }, { calibration }).basis).toBe(
      'calibrated',
    )
  })

  test('teaches a ratio for each model', () => {
    const { recorder, calibration } = session([
      { inputTokens: 800, outputTokens: 30 },
      { inputTokens: 1700, outputTokens: 30 },
    ])
    const { messages } = requestOf(recorder)
    const request = { system: '', tools: [], messages: messages.slice(1) }
    const guessed = estimateTokens(request).input
    const learnt = estimateTokens(request, { calibration, model: 'scripted/model' })
    expect(learnt.basis).toBe('calibrated')
    expect(learnt.input / guessed).toBeCloseTo(calibration.ratios['scripted/model'] ?? 0, 1)
    expect(estimateTokens(request, { calibration, model: 'other/model' })).toMatchObject({
      basis: 'guessed',
      input: guessed,
    })
  })

  test('is not believed when it cannot be true', () => {
    expect(session([{ inputTokens: 3, outputTokens: 30 }]).calibration).toEqual(noCalibration)
    expect(session([{ inputTokens: 900_000 }]).calibration).toEqual(noCalibration)
    expect(session([{}]).calibration).toEqual(noCalibration)
  })

  test('is the same read from the history and taken in event by event', () => {
    const { recorder } = session([{ inputTokens: 420, outputTokens: 30 }, { inputTokens: 700 }])
    const tools = [tool]
    const replay = new Recorder()
    let live = noCalibration
    for (const event of recorder.history.slice(1)) {
      live = calibrate(live, replay.state, event, { tools })
      const { seq: _seq, at: _at, ...input } = event
      replay.record(input as Parameters<Recorder['record']>[0])
    }
    expect(live).toEqual(calibrationOf(recorder.history, { tools }))
    expect(JSON.parse(JSON.stringify(live))).toEqual(live)
    expect(live.anchor).not.toBeNull()
  })

  test('a tokenizer counts what no server has counted yet, exactly', () => {
    const { recorder, calibration } = session([{ inputTokens: 420, outputTokens: 30 }])
    const tokenizer = (text: string) => text.length
    const request = { system: 'abc', tools: [], messages: requestOf(recorder).messages.slice(0, 1) }
    const text = 'word '.repeat(300)
    expect(estimateTokens(request, { tokenizer })).toMatchObject({ basis: 'counted', input: 3 + 4 + text.length })
    expect(estimateTokens(requestOf(recorder), { tokenizer, calibration }).basis).toBe('reported')
  })
})

/** A session whose answers came with these usages. */
function session(usages: readonly Usage[]) {
  const recorder = new Recorder()
  recorder.record(policyWith({ model }))
  for (const [index, usage] of usages.entries()) {
    const ids = { inputId: `in_${index}`, turnId: `turn_${index}`, requestId: `req_${index}` }
    recorder.record(
      { type: 'input.queued', inputId: ids.inputId, text: 'word '.repeat(300) },
      { type: 'turn.started', turnId: ids.turnId, inputId: ids.inputId },
      { type: 'model.asked', requestId: ids.requestId, purpose: 'answer', attempt: 1 },
      {
        type: 'model.answered',
        requestId: ids.requestId,
        content: [{ type: 'text', text: 'It is done, all of it.' }],
        finishReason: 'stop',
        usage,
      },
      { type: 'turn.finished', turnId: ids.turnId, reason: 'turn_complete' },
    )
  }
  return { recorder, calibration: calibrationOf(recorder.history) }
}

function requestOf(recorder: Recorder) {
  return { system: '', messages: recorder.window, tools: [] }
}
