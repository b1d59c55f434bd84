// The least that can be called an agent: a prompt, one tool, a loop, a line of JSON for each message. It trusts whatever
// the model says, never asks the user, and knows the conversation only as long as it runs. The cost of starting the real
// agent is measured beside it: node floor.mjs openai|ollama ADDRESS MODEL PROMPT
import { execFileSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'

const [protocol, address, model, prompt] = process.argv.slice(2)
const command = { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] }
const bash = { name: 'bash', description: 'Runs a command and returns its output.', parameters: command }
const messages = [
  { role: 'system', content: 'You are a coding agent. Use the tool to look and to change files.' },
  { role: 'user', content: prompt },
]

for (;;) {
  const message = await ask()
  keep(message)
  const calls = message.tool_calls ?? []
  for (const { id, function: called } of calls) keep({ role: 'tool', tool_call_id: id, content: run(called) })
  if (calls.length === 0) break
}
console.log(messages.at(-1).content)

async function ask() {
  const url = `${address}${protocol === 'ollama' ? '/api/chat' : '/v1/chat/completions'}`
  const body = JSON.stringify({ model, messages, tools: [{ type: 'function', function: bash }], stream: false })
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  if (!response.ok) throw new Error(await response.text())
  const answer = await response.json()
  return protocol === 'ollama' ? answer.message : answer.choices[0].message
}

function run({ arguments: input }) {
  const { command: line } = typeof input === 'string' ? JSON.parse(input) : input
  return execFileSync('bash', ['-c', line], { encoding: 'utf8' })
}

function keep(message) {
  messages.push(message)
  appendFileSync('floor.jsonl', `${JSON.stringify(message)}\n`)
}
