// A server that speaks OpenAI's chat completions and takes no time to think: it asks for one tool call after the other,
// and then is done. It measures what a client does in between.
import { createServer } from 'node:http'

/** Starts it. `gapsOf` tells for each turn the milliseconds from the end of an answer to the end of the next request. */
export async function wireServer() {
  const runs = new Map()
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      const run = runs.get(request.url.split('/')[1])
      if (run === undefined || request.method !== 'POST') return void response.writeHead(404).end()
      if (run.answeredAt !== undefined) run.gaps.push(performance.now() - run.answeredAt)
      run.turn += 1
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(framesOf(run.answer(run.turn), run.turn), () => (run.answeredAt = performance.now()))
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  return {
    /** Where a client finds this run; `answer` says what it is asked in each turn. */
    urlFor(run, answer) {
      runs.set(run, { turn: 0, gaps: [], answeredAt: undefined, answer })
      return `http://127.0.0.1:${port}/${run}/v1`
    },
    gapsOf: (run) => runs.get(run).gaps,
    close: () => server.close(),
  }
}

/** An answer as a stream has it: words and arguments come a few characters at a time. */
function framesOf({ text, call }, turn) {
  const base = { id: `chatcmpl-${turn}`, object: 'chat.completion.chunk', created: 1_700_000_000, model: 'bench' }
  const said = (delta, finish = null) => ({ ...base, choices: [{ index: 0, delta, finish_reason: finish }] })
  const called = (fields) => said({ tool_calls: [{ index: 0, ...fields }] })
  const frames = [
    said({ role: 'assistant', content: '' }),
    ...pieces(text).map((content) => said({ content })),
    ...(call === undefined
      ? []
      : [
          called({ id: `call_${turn}`, type: 'function', function: { name: call.name, arguments: '' } }),
          ...pieces(JSON.stringify(call.input)).map((piece) => called({ function: { arguments: piece } })),
        ]),
    said({}, call === undefined ? 'stop' : 'tool_calls'),
    { ...base, choices: [], usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 } },
  ]
  return `${frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('')}data: [DONE]\n\n`
}

function pieces(text) {
  return text.match(/[^]{1,12}/g) ?? []
}
