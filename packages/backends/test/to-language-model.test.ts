import { call, line, ScriptedBackend } from '@loader/test-harness'
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai'
import { describe, expect, test } from 'vitest'
import { toLanguageModel } from '../src/index.ts'

function writeTool(written: string[]) {
  return tool({
    description: 'Writes a file.',
    inputSchema: jsonSchema<{ path: string }>({
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
    }),
    execute: async ({ path }) => {
      written.push(path)
      return `Wrote ${path}.`
    },
  })
}

const twoSteps = [
  { ...line('On it.', call('write', { path: 'a.txt' }), call('write', { path: 'b.txt' })), reasoning: 'Two files.' },
  { ...line('Both are there.'), usage: { inputTokens: 9, outputTokens: 4, cacheReadTokens: 2 } },
] as const

describe('the tool loop of ai', () => {
  test('runs on a scripted backend, in whole answers', async () => {
    const backend = new ScriptedBackend(...twoSteps)
    const written: string[] = []
    const { text, steps, totalUsage } = await generateText({
      model: toLanguageModel(backend),
      instructions: 'Be brief.',
      prompt: 'Create a.txt and b.txt.',
      tools: { write: writeTool(written) },
      stopWhen: stepCountIs(3),
    })
    backend.assertDone()
    expect([text, written]).toEqual(['Both are there.', ['a.txt', 'b.txt']])
    expect(steps[0]?.reasoningText).toBe('Two files.')
    expect(totalUsage).toMatchObject({ inputTokens: 9, outputTokens: 4 })
    expect(backend.requests[0]).toMatchObject({ system: 'Be brief.', tools: [{ name: 'write' }] })
    expect(backend.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool'])
    expect(backend.requests[1]?.messages.at(-1)?.content).toMatchObject([{ outcome: 'ok', text: 'Wrote b.txt.' }])
  })

  test('runs on a scripted backend, in streams', async () => {
    const backend = new ScriptedBackend(...twoSteps.map((each) => ({ ...each, chunks: 'word' as const })))
    const written: string[] = []
    const { stream, finalStep } = streamText({
      model: toLanguageModel(backend),
      prompt: 'Create a.txt and b.txt.',
      tools: { write: writeTool(written) },
      stopWhen: stepCountIs(3),
    })
    const kinds: string[] = []
    for await (const part of stream) kinds.push(part.type)
    backend.assertDone()
    expect(written).toEqual(['a.txt', 'b.txt'])
    expect((await finalStep).text).toBe('Both are there.')
    expect(kinds.filter((kind) => kind === 'text-delta').length).toBeGreaterThan(2)
    expect(kinds.filter((kind) => kind === 'tool-result')).toHaveLength(2)
    expect(kinds).not.toContain('error')
  })

  test('hands malformed arguments on as they were written', async () => {
    const backend = new ScriptedBackend(line(call('write', {}, { raw: '{"path": ' })), line('Sorry.'))
    const written: string[] = []
    const { steps } = await generateText({
      model: toLanguageModel(backend),
      prompt: 'Go.',
      tools: { write: writeTool(written) },
      stopWhen: stepCountIs(2),
    })
    expect(written).toEqual([])
    expect(steps[0]?.toolCalls).toMatchObject([{ invalid: true, input: '{"path": ' }])
  })

  test('keeps signatures, so that they go back to the model', async () => {
    const thought = { type: 'reasoning', text: 'Hm.', providerMetadata: { acme: { signature: 'sig' } } } as const
    const backend = new ScriptedBackend(
      { content: [thought, { type: 'call', call: call('write', { path: 'a' }) }] },
      line('Done.'),
    )
    const { stream } = streamText({
      model: toLanguageModel(backend),
      prompt: 'Go.',
      tools: { write: writeTool([]) },
      stopWhen: stepCountIs(2),
    })
    for await (const part of stream) expect(part.type).not.toBe('error')
    expect(backend.requests[1]?.messages[1]?.content[0]).toEqual(thought)
  })

  test.each([
    [undefined, undefined],
    ['none', 'off'],
    ['medium', 'medium'],
    ['xhigh', 'high'],
  ] as const)('is told how much to think: %s is %s', async (reasoning, thinking) => {
    const backend = new ScriptedBackend(line('Hi.'))
    await generateText({ model: toLanguageModel(backend), prompt: 'Go.', ...(reasoning && { reasoning }) })
    expect(backend.requests[0]?.thinking).toBe(thinking)
  })

  test('sees a stream that was cut off as interrupted', async () => {
    const backend = new ScriptedBackend({ text: 'one two', chunks: 'word', fault: { type: 'cut', after: 1 } })
    const { stream, finishReason } = streamText({ model: toLanguageModel(backend), prompt: 'Go.' })
    for await (const part of stream) expect(part.type).not.toBe('error')
    expect(await finishReason).toBe('interrupted')
  })

  test('gets the failure of the backend', async () => {
    const backend = new ScriptedBackend({ fault: { type: 'throw', kind: 'auth', message: 'No key.' } })
    const asked = generateText({ model: toLanguageModel(backend), prompt: 'Go.', maxRetries: 0 })
    await expect(asked).rejects.toThrow('No key.')
  })

  test('stops the backend when it is aborted', async () => {
    const backend = new ScriptedBackend({ text: 'one two', chunks: 'word', fault: { type: 'stall', after: 1 } })
    const abort = new AbortController()
    const { stream } = streamText({ model: toLanguageModel(backend), prompt: 'Go.', abortSignal: abort.signal })
    const kinds: string[] = []
    for await (const part of stream) {
      kinds.push(part.type)
      if (part.type === 'text-delta') abort.abort()
    }
    expect(kinds.at(-1)).toBe('abort')
  })
})

describe('a language model made of a backend', () => {
  test('is called what the backend is called', () => {
    const { provider, modelId, specificationVersion } = toLanguageModel(new ScriptedBackend())
    expect([provider, modelId, specificationVersion]).toEqual(['scripted', 'model', 'v4'])
  })

  test('warns about what it leaves out', async () => {
    const model = toLanguageModel(new ScriptedBackend(line('Hi.')))
    const { warnings } = await model.doGenerate({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Go.' }] }],
      topP: 0.5,
      stopSequences: ['x'],
      toolChoice: { type: 'required' },
      responseFormat: { type: 'json' },
      tools: [{ type: 'provider', id: 'acme.search', name: 'search', args: {} }],
    })
    expect(warnings.map((warning) => warning.type === 'unsupported' && warning.feature)).toEqual([
      'topP',
      'stopSequences',
      'responseFormat',
      'toolChoice',
      'tool acme.search',
    ])
  })

  test('whoever cancels the stream stops the backend', async () => {
    const backend = new ScriptedBackend({ text: 'one two', chunks: 'word', fault: { type: 'stall', after: 1 } })
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Go.' }] }]
    const { stream } = await toLanguageModel(backend).doStream({ prompt })
    const reader = stream.getReader()
    const seen = [await reader.read(), await reader.read()].map(({ value }) => value?.type)
    await reader.cancel()
    expect(seen).toEqual(['stream-start', 'text-start'])
  })
})
