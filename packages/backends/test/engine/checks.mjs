import assert from 'node:assert/strict'
import { openaiCompatible } from '@loader/backends'

const at = new Date(0).toISOString()

/** Each check says what it saw. */
export const checks = {
  async tokeniser({ tokenize, detokenize }) {
    const text = 'Größe: 12 €, ok? 日本 🎉'
    assert.equal(detokenize(tokenize(text)).trim(), text)
    return `${tokenize(text).length} tokens there and back`
  },

  async template(server) {
    await said(server, conversation('Say hello.'), { maxOutputTokens: 4 })
    const prompt = server.seen.prompts.at(-1)
    assert.match(prompt, /<\|system\|>\nBe brief\.\n<\|user\|>\nSay hello\.\n<\|assistant\|>/)
    return JSON.stringify(prompt)
  },

  async streaming(server) {
    const { deltas, done } = await said(server, conversation('Count.'), { maxOutputTokens: 40 })
    assert.ok(deltas.length > 5, `${deltas.length} pieces`)
    assert.equal(deltas.join(''), done.content.map((part) => part.text ?? '').join(''))
    assert.equal(done.finishReason, 'length')
    assert.equal(done.usage.outputTokens, 40)
    return `${deltas.length} pieces, ${done.usage.inputTokens} tokens in, ${done.usage.outputTokens} out`
  },

  async 'a call by grammar'(server) {
    const inputSchema = {
      type: 'object',
      properties: { file: { enum: ['a.txt', 'b.txt'] }, whole: { type: 'boolean' } },
      required: ['file', 'whole'],
      additionalProperties: false,
    }
    const tools = [{ name: 'read', description: 'Reads a file.', inputSchema }]
    const { done } = await said(server, conversation('Read it.'), { tools, maxOutputTokens: 200 })
    const [call] = done.content.filter(({ type }) => type === 'call').map((part) => part.call)
    assert.equal(call.name, 'read')
    assert.equal(call.malformed, undefined)
    assert.ok(['a.txt', 'b.txt'].includes(call.input.file))
    return JSON.stringify(call.input)
  },

  async abort(server) {
    const abort = new AbortController()
    const before = server.seen.aborted
    await assert.rejects(async () => {
      for await (const event of backendTo(server).stream(requestOf(conversation('Go on.'), { maxOutputTokens: 900 }), {
        signal: abort.signal,
      })) {
        if (event.type === 'text') abort.abort()
      }
    })
    for (let tries = 0; server.seen.aborted === before && tries < 1000; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    assert.equal(server.seen.aborted, before + 1)
    assert.ok(server.seen.tokens < 800, `${server.seen.tokens} tokens`)
    return `the engine stopped behind ${server.seen.tokens} tokens of 900`
  },

  async overflow(server) {
    const error = await said(server, conversation('word '.repeat(1000)), {}).then(
      () => assert.fail('It was not refused.'),
      (reason) => reason,
    )
    assert.equal(error.failure?.kind, 'context_too_long', error.message)
    return error.message
  },

  async 'after all that'(server) {
    const { done } = await said(server, conversation('Still there?'), { maxOutputTokens: 3 })
    assert.equal(done.usage.outputTokens, 3)
    return 'it answers'
  },
}

function conversation(text) {
  return [{ id: 'in_1', role: 'user', origin: 'input', at, content: [{ type: 'text', text }] }]
}

function requestOf(messages, more) {
  return { requestId: 'req_1', purpose: 'answer', system: 'Be brief.', messages, tools: [], ...more }
}

function backendTo({ url }) {
  return openaiCompatible({ model: 'noise', baseUrl: url, contextWindow: 1024, variables: {} })
}

async function said(server, messages, more) {
  const deltas = []
  for await (const event of backendTo(server).stream(requestOf(messages, more))) {
    if (event.type === 'text') deltas.push(event.delta)
    if (event.type === 'done') return { deltas, done: event }
  }
  throw new Error('The answer has no end.')
}
