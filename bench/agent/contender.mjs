// Runs sessions one after the other as an agent of one kind, against the server of the bench, and prints what they took:
// node contender.mjs agent|ai-sdk|floor FOLDER [[URL, TURNS], ...]
//
// All three look things up in files of the folder, or write some. The agent keeps every event on the disk before anything
// rests on it; the floor appends a line and calls fdatasync once a turn; the loop of the AI SDK stores nothing.
import fs from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

// V8 grows the space for young objects as it likes, whatever a program does: here it stays as small as it begins.
setFlagsFromString('--semi-space-growth-factor=1')

const task = 'Explain what the records of this project say.'
const system = 'Look things up. '.repeat(500)
const [, , kind, folder, list] = process.argv
const runs = { agent: runAgent, 'ai-sdk': runAiSdk, floor: runFloor }

const sessions = []
for (const [url, turns] of JSON.parse(list)) {
  // Time of the processor at the beginning of each request: what others do on the machine is not in it.
  const marks = []
  const mark = () => {
    const { user, system: kernel } = process.cpuUsage()
    marks.push((user + kernel) / 1000)
  }
  await runs[kind](url, turns, mark)
  sessions.push(marks.slice(1).map((time, index) => time - marks[index]))
}
console.log(JSON.stringify({ sessions, peak: process.resourceUsage().maxRSS / 1024 }))

async function runAgent(url, turns, mark) {
  const { localAgent } = await import('@loader/agent/local')
  const { openaiCompatible } = await import('@loader/backends')
  const { findProject } = await import('@loader/workspace')
  const server = openaiCompatible({ baseUrl: url, model: 'bench' })
  const backend = {
    id: server.id,
    stream(request, options) {
      mark()
      return server.stream(request, options)
    },
  }
  const limits = { maxIterations: turns + 10 }
  const config = { limits, contextWindow: 1_000_000, describeModel: false, permissionMode: 'allow' }
  const variables = { ...process.env, LOADER_STATE: join(folder, '..', 'state') }
  const project = findProject(folder, { variables })
  await using agent = localAgent({ backend, projectRoot: folder, project, config })
  const { reason } = await agent.run(task)
  if (reason !== 'turn_complete') throw new Error(`The turn ended with ${reason}.`)
}

async function runAiSdk(url, turns, mark) {
  const { isStepCount, streamText, tool } = await import('ai')
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const z = await import('zod')
  const asked = (...request) => {
    mark()
    return fetch(...request)
  }
  const model = createOpenAICompatible({ name: 'bench', baseURL: url, includeUsage: true, fetch: asked })('bench')
  const tools = {
    read: tool({
      description: 'Read a file.',
      inputSchema: z.object({ file_path: z.string() }),
      execute: ({ file_path: path }) => fs.promises.readFile(join(folder, path), 'utf8'),
    }),
    write: tool({
      description: 'Write a file.',
      inputSchema: z.object({ file_path: z.string(), content: z.string() }),
      execute: async ({ file_path: path, content }) => {
        await fs.promises.writeFile(join(folder, path), content)
        return `Wrote ${path}.`
      },
    }),
  }
  const { fullStream } = streamText({
    model,
    instructions: system,
    prompt: task,
    tools,
    stopWhen: isStepCount(turns + 10),
  })
  for await (const part of fullStream) if (part.type === 'error') throw part.error
}

async function runFloor(url, _turns, mark) {
  const file = fs.openSync(join(folder, '..', `floor-${process.pid}.jsonl`), 'a')
  const keep = (messages) => {
    fs.writeSync(file, `${JSON.stringify(messages)}\n`)
    fs.fdatasyncSync(file)
  }
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: task },
  ]
  const parameters = { type: 'object', properties: { file_path: { type: 'string' } } }
  const tools = [{ type: 'function', function: { name: 'read', description: 'Read a file.', parameters } }]
  keep(messages)
  for (;;) {
    mark()
    const body = JSON.stringify({ model: 'bench', messages, tools, stream: true })
    const headers = { 'content-type': 'application/json' }
    const answer = answerIn(await (await fetch(`${url}/chat/completions`, { method: 'POST', headers, body })).text())
    const [call] = answer.tool_calls ?? []
    const result = call && { role: 'tool', tool_call_id: call.id, content: done(call.function) }
    messages.push(answer, ...(result ? [result] : []))
    keep([answer, result])
    if (result === undefined) break
  }
  fs.closeSync(file)
}

function answerIn(text) {
  let content = ''
  let call
  for (const line of text.split('\n')) {
    if (!line.startsWith('data: {')) continue
    const { delta } = JSON.parse(line.slice(6)).choices[0] ?? {}
    content += delta?.content ?? ''
    for (const { id, function: piece } of delta?.tool_calls ?? []) {
      call ??= { id, type: 'function', function: { name: piece.name, arguments: '' } }
      call.function.arguments += piece.arguments ?? ''
    }
  }
  return { role: 'assistant', content, ...(call && { tool_calls: [call] }) }
}

function done({ name, arguments: text }) {
  const { file_path: path, content } = JSON.parse(text)
  if (name === 'read') return fs.readFileSync(join(folder, path), 'utf8')
  fs.writeFileSync(join(folder, path), content)
  return `Wrote ${path}.`
}
