import { Agent } from '@loader/agent'
import { localOptions } from '@loader/agent/local'
import { FileSessionStore } from '@loader/session-fs'
import { FloorAgent } from './floor.mjs'

const task = 'Explain what the records of this project say.'
const record = 'What this record says is told in about as many words as a short file has. '.repeat(6)

/** Both agents, turn by turn; for each the milliseconds from the end of an answer to the next request. */
export async function runSideBySide(folder, turns) {
  const floor = floorOf(folder, turns)
  const agent = agentOf(folder, turns, async () => floor.turn())
  await agent.run()
  floor.close()
  return { agent: agent.gaps, floor: floor.gaps, compactions: agent.compactions }
}

export async function runAgent(folder, turns) {
  await agentOf(folder, turns, async () => {}).run()
}

export async function runFloor(folder, turns) {
  const floor = floorOf(folder, turns)
  for (let turn = 0; turn <= turns; turn += 1) await floor.turn()
  floor.close()
}

/** A model without latency: it looks up one record after the other, and then is done. */
function modelFor(turns, { onAsked, onAnswered }) {
  let asked = 0
  return {
    id: 'bench/model',
    async *stream() {
      await onAsked()
      asked += 1
      const call = { id: `call_${asked}`, name: 'read', input: { file_path: `records/${asked}.txt` } }
      const content = [
        { type: 'text', text: `I look up record ${asked}.` },
        { type: 'call', call },
      ]
      const done = asked > turns
      const last = [{ type: 'text', text: 'The records say what they say.' }]
      const usage = { inputTokens: 100, outputTokens: 20 }
      onAnswered()
      yield { type: 'done', content: done ? last : content, finishReason: done ? 'stop' : 'tool-calls', usage }
    },
  }
}

/** The same tool for both: it answers at once, so that only the agents themselves take time. */
const answer = ({ file_path: path }) => `${path}: ${record}`
const examine = async (input) => ({ valid: true, input, effect: 'probe', paths: [], intent: [] })
const run = async ({ input }) => ({ outcome: 'ok', text: answer(input) })

function agentOf(folder, turns, betweenTurns) {
  const gaps = []
  let answered
  const backend = modelFor(turns, {
    async onAsked() {
      if (answered !== undefined) gaps.push(performance.now() - answered)
      await betweenTurns()
    },
    onAnswered: () => (answered = performance.now()),
  })
  const config = { limits: { maxIterations: turns + 10 }, contextWindow: 128_000 }
  const options = localOptions({ backend, projectRoot: folder, store: new FileSessionStore({ root: folder }), config })
  const tools = options.tools.map((tool) => (tool.name === 'read' ? { ...tool, examine, run } : tool))
  const agent = new Agent({ ...options, tools })
  return {
    gaps,
    compactions: 0,
    async run() {
      const { reason } = await agent.run(task)
      if (reason !== 'turn_complete') throw new Error(`The turn ended with ${reason}.`)
      this.compactions = agent.session.state.compaction?.count ?? 0
      await agent.close()
    },
  }
}

let floors = 0

function floorOf(folder, turns) {
  const gaps = []
  let [began, answered] = [0, 0]
  /** What was spent since the answer before, up to the end of its turn. */
  let rest
  const model = modelFor(turns, {
    async onAsked() {
      if (rest !== undefined) gaps.push(rest + performance.now() - began)
    },
    onAnswered: () => (answered = performance.now()),
  })
  const schema = { type: 'object', properties: { file_path: { type: 'string' } } }
  const tools = [{ name: 'read', description: 'Read a file.', schema, run: async (input) => answer(input) }]
  floors += 1
  const floor = new FloorAgent({ directory: folder, name: `floor-${floors}`, model, tools, system: 'Look things up.' })
  floor.begin(task)
  return {
    gaps,
    async turn() {
      began = performance.now()
      await floor.turn()
      rest = performance.now() - answered
    },
    close: () => floor.close(),
  }
}
