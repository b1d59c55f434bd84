// An agent in a process of its own. It goes on with what the process before it left behind, or begins its task; what
// it is told of, and what its tools do, it writes down beside the project, each before it goes on.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { Agent, type AgentEvent } from '@loader/agent'
import { localOptions } from '@loader/agent/local'
import type { Tool } from '@loader/session-core/coding'
import { FileSessionStore } from '@loader/session-fs'
import { Job, type Moment, sessionId } from '../stage/job.ts'
import { backendTo } from '../stage/protocols.ts'

const job = Job.parse(JSON.parse(process.argv[2] ?? ''))
const { protocol, url, model, root, task, doneWhen, config, killAt } = job

function note(file: string, value: unknown): void {
  appendFileSync(join(root, `${file}.jsonl`), `${JSON.stringify(value)}\n`)
}

function dieAt(isThere: (moment: Moment) => boolean): void {
  if (killAt !== undefined && isThere(killAt)) process.kill(process.pid, 'SIGKILL')
}

const seen = new Map<string, number>()
const said = new Map<string, string>()

function onEvent(event: AgentEvent): void {
  const { type } = event
  if ('seq' in event) {
    note('acknowledged', event)
    const count = (seen.get(type) ?? 0) + 1
    seen.set(type, count)
    dieAt((moment) => moment.at === 'event' && moment.type === type && moment.count === count)
    const words = JSON.stringify(event)
    dieAt((moment) => moment.at === 'event that says' && moment.type === type && words.includes(moment.text))
    return
  }
  const text = (said.get(type) ?? '') + ('text' in event ? event.text : '')
  said.set(type, text)
  dieAt((moment) => moment.at === 'delta' && moment.type === type && text.includes(moment.text))
}

function mortal(tool: Tool): Tool {
  return {
    ...tool,
    async run(examined, context) {
      dieAt((moment) => moment.at === 'before tool' && moment.name === tool.name)
      note('effects', { callId: context.callId, at: 'begin' })
      const result = await tool.run(examined, context)
      note('effects', { callId: context.callId, at: 'end' })
      dieAt((moment) => moment.at === 'after tool' && moment.name === tool.name)
      return result
    },
  }
}

const project = join(root, 'project')
const options = localOptions({
  backend: backendTo(protocol, url, model),
  projectRoot: project,
  walls: { use: 'off' },
  store: new FileSessionStore({ root: project }),
  sessionId,
  ...(config && { config }),
})
// How turns end is the matter of other tests.
const tools = options.tools.filter(({ name }) => name !== 'finish').map(mortal)
await using agent = new Agent({ ...options, tools })
const found = await agent.resumeSession(sessionId)
const goesOn = found ? await agent.continue({ onEvent }) : null
if (goesOn === null && agent.lastTurnSummary === null) await agent.run(task, { onEvent, ...(doneWhen && { doneWhen }) })
