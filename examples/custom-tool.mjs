// A tool of your own in a coding agent. It says what a call would do before it does it, so that the user can be asked, the
// agent can tell after a crash what has happened, and nothing runs that was not looked at.
// Run it: node examples/custom-tool.mjs
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localAgent } from '@loader/agent/local'
import { MemoryStore } from '@loader/session-core'
import { call, line, ScriptedBackend } from '@loader/test-harness'
import * as z from 'zod'

const stock = new Map([['apples', 12]])

const Order = z.object({
  article: z.string().describe('what to order'),
  count: z.int().min(1).max(100).describe('how many'),
})

/** Orders something. The description and the schema are what the model is told. */
const orderTool = {
  name: 'order',
  title: 'Order an article', // what people are asked; without it, its name
  aliases: { names: ['buy', 'purchase'], arguments: { article: ['item'], count: ['amount'] }, main: 'article' }, // what models call it
  description: 'Order an article for the stock.',
  input: Order, // arguments that do not fit never get further
  /** Has no effect. `unknown` says that the call may do anything, so it is asked about before it runs. */
  async examine(input) {
    if (!stock.has(input.article))
      return { valid: false, message: `There are no ${input.article}; there are ${[...stock.keys()].join(', ')}.` }
    const preview = `order ${input.count} ${input.article}`
    return { valid: true, input, effect: 'unknown', paths: [], intent: [], preview }
  },
  async run({ input: { article, count } }) {
    stock.set(article, stock.get(article) + count)
    return { outcome: 'ok', text: `${article}: ${stock.get(article)} in stock.`, metadata: { article, count } }
  },
}

const root = mkdtempSync(join(tmpdir(), 'custom-tool-'))
// A real model: await backendFor('ollama/qwen3:8b') from @loader/backends.
const backend = new ScriptedBackend(
  line('I order.', call('order', { article: 'pears', count: 5 })),
  line('Then apples.', call('order', { article: 'apples', count: 5 })),
  line('Five apples are ordered.'),
)
const store = new MemoryStore() // without one, the session is kept in the state folder of the user
const agent = localAgent({ backend, projectRoot: root, store, tools: [orderTool] }) // besides read, write, edit, bash, …
const approver = {
  async decide({ tool, preview, reason }) {
    console.log(`${tool} wants to: ${preview}\n  (asked because ${reason})`)
    return { permit: 'allow', scope: 'once' } // or 'session', 'always'; { permit: 'deny', reason: '…' } goes to the model
  },
}
const onEvent = (event) => event.type === 'tool.finished' && console.log(`${event.outcome}: ${event.text}`)
const { response } = await agent.run('Order five pears, or apples if there are none.', { approver, onEvent })
console.log(response)
await agent.close()
rmSync(root, { recursive: true })
