// The surface of OpenAI's chat completions over llama.cpp in this process. The npm package of the engine has no server,
// so this is the thinnest one: it renders with the template of the model, tokenises, evaluates, and streams.
import { createServer } from 'node:http'
import { once } from 'node:events'

/** Starts the server; `engine` is the module node-llama-cpp. */
export async function serve(engine, modelPath, contextSize) {
  const llama = await engine.getLlama({ gpu: false, build: 'never', logLevel: 'error' })
  const model = await llama.loadModel({ modelPath })
  // With more threads than free cores, each token waits for all of them.
  const context = await model.createContext({ contextSize, threads: 1 })
  const sequence = context.getSequence()
  const wrapper = new engine.JinjaTemplateChatWrapper({ template: model.fileInfo.metadata.tokenizer.chat_template })
  const seen = { aborted: 0, prompts: [], tokens: 0 }
  let turn = Promise.resolve()

  const promptOf = (messages) =>
    wrapper.generateContextState({ chatHistory: [...messages.map(historyItem), { type: 'model', response: [] }] })

  const server = createServer((request, response) => {
    void respond(request, response).catch((error) => {
      if (!response.headersSent) send(response, 500, { error: { message: String(error) } })
      else response.destroy()
    })
  })

  async function respond(request, response) {
    if (request.url === '/v1/models') return send(response, 200, { data: [{ id: 'noise' }] })
    if (request.url !== '/v1/chat/completions') return send(response, 404, { error: { message: 'not found' } })
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const body = JSON.parse(Buffer.concat(chunks).toString())
    const { contextText } = promptOf(body.messages)
    const prompt = [model.tokens.bos, ...contextText.tokenize(model.tokenizer)]
    seen.prompts.push(contextText.toString())
    if (prompt.length >= contextSize) {
      const message = `the request exceeds the available context size (${prompt.length} >= ${contextSize} tokens)`
      return send(response, 400, { error: { code: 400, message, type: 'exceed_context_size_error' } })
    }
    // One evaluation at a time: there is one sequence.
    const before = turn
    let done = () => {}
    turn = new Promise((resolve) => (done = resolve))
    await before
    try {
      await answer(body, prompt, response)
    } finally {
      done()
    }
  }

  async function answer(body, prompt, response) {
    const [tool] = body.tools ?? []
    const grammar = tool && (await llama.createGrammarForJsonSchema(tool.function.parameters))
    const state = grammar && new engine.LlamaGrammarEvaluationState({ model, grammar })
    const most = Math.min(body.max_tokens ?? 64, contextSize - prompt.length)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const event = (delta, rest = {}) => {
      const choices = [{ index: 0, delta, finish_reason: null, ...rest }]
      response.write(
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'noise', choices })}\n\n`,
      )
    }
    await sequence.clearHistory()
    const made = []
    let sent = ''
    event({ role: 'assistant', content: '' })
    const options = { temperature: 0.9, seed: 7, ...(state && { grammarEvaluationState: state }) }
    for await (const token of sequence.evaluate(prompt, options)) {
      if (response.destroyed) {
        seen.aborted += 1
        seen.tokens = made.length
        return
      }
      if (model.isEogToken(token) || made.length >= most) break
      made.push(token)
      const whole = model.detokenize(made)
      // Half a character waits for its other half.
      if (!tool && !whole.endsWith('\uFFFD') && whole.length > sent.length) {
        event({ content: whole.slice(sent.length) })
        sent = whole
      }
      // The evaluation would otherwise never let anything else happen.
      await new Promise((resolve) => setImmediate(resolve))
    }
    if (tool) {
      const { name } = tool.function
      const call = { index: 0, id: 'call_1', type: 'function', function: { name, arguments: model.detokenize(made) } }
      event({ tool_calls: [call] })
    }
    const reason = tool ? 'tool_calls' : made.length >= most ? 'length' : 'stop'
    event({}, { finish_reason: reason })
    const usage = {
      prompt_tokens: prompt.length,
      completion_tokens: made.length,
      total_tokens: prompt.length + made.length,
    }
    response.write(`data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [], usage })}\n\n`)
    response.end('data: [DONE]\n\n')
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    seen,
    tokenize: (text) => model.tokenize(text),
    detokenize: (tokens) => model.detokenize(tokens),
    async close() {
      server.closeAllConnections()
      server.close()
      await context.dispose()
      await model.dispose()
      await llama.dispose()
    },
  }
}

function historyItem({ role, content }) {
  const text = typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('')
  if (role === 'system') return { type: 'system', text }
  return role === 'assistant' ? { type: 'model', response: [text] } : { type: 'user', text }
}

function send(response, status, value) {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}
