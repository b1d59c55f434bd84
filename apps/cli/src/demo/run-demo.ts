import { spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import type { AgentEvent } from '@loader/agent'
import { isSessionEvent, parseEvent } from '@loader/session-core'
import type { Approver } from '@loader/session-core/coding'
import { counted } from '@loader/readings'
import type { Console } from '../console/console.ts'
import { demoAgent } from './demo-agent.ts'
import { makeDemoProject } from './demo-project.ts'
import { firstScript, firstTask, secondTask, thirdScript } from './demo-script.ts'
import { Show, type ShowOptions } from './show.ts'
import { showWhatIsLeft } from './what-is-left.ts'

export interface DemoOptions extends ShowOptions {
  /** Starts the demo again as the process that will be killed. */
  readonly startChild: (root: string, sessionId: string) => ChildStart
  /** Whether the demo folder is kept. */
  readonly afterwards: 'keep' | 'remove'
  /** The command by which the user starts `loader`. */
  readonly command: string
}

interface ChildStart {
  readonly words: readonly string[]
  readonly environment: Console['environment']
}

/** The demo: a claim of "done" that must be verified, a killed process, and what the session still knows afterwards. */
export async function runDemo(options: DemoOptions): Promise<void> {
  const show = new Show(options)
  const root = makeDemoProject()
  try {
    await play(root, show, options)
  } finally {
    if (options.afterwards === 'remove') rmSync(root, { recursive: true, force: true })
  }
}

async function play(root: string, show: Show, options: DemoOptions): Promise<void> {
  const { command, afterwards } = options
  show.text(
    'This is a demo: the model is a script. Everything else is real: the agent and its tools, the files, the checks, and the process that gets killed.',
  )
  const sessionId = await earnDone(root, show)
  const killed = await runUntilKilled(root, sessionId, show, options)
  show.note(`Process ${killed} got SIGKILL in the middle of a command. It could save nothing, and had to save nothing.`)
  await goOn(root, sessionId, show)
  show.chapter('4. What is left: the whole session, which can be read at any time')
  await showWhatIsLeft(show, root, sessionId)
  if (afterwards === 'keep') show.command('The demo folder stays. Look around:', `${command} timeline -C ${root}`)
  else show.command('To look around in it yourself:', `${command} demo --keep`)
  show.command('With a model, in a project of your own:', command)
}

async function earnDone(root: string, show: Show): Promise<string> {
  show.chapter(`1. A task: "${firstTask}"`)
  const agent = await demoAgent(root, firstScript)
  const approver: Approver = {
    async decide({ callId }) {
      if (callId !== undefined) return { permit: 'deny', scope: 'once' }
      show.note('Nothing changes before the plan is approved. The demo approves it.')
      return { permit: 'allow', scope: 'once' }
    },
  }
  const onEvent = (event: AgentEvent) => show.event(event, agent.session.state)
  await agent.run(firstTask, { mode: 'plan', approver, onEvent })
  await agent.close()
  show.note('The model said "Done! All tests pass." too early. What counts is what the runtime has checked itself.')
  return agent.session.id
}

/** Starts the second process, shows its events, and kills it during a command. */
async function runUntilKilled(root: string, sessionId: string, show: Show, options: DemoOptions): Promise<number> {
  show.chapter(`2. Another process, another task: "${secondTask}"`)
  const { words, environment } = options.startChild(root, sessionId)
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'], env: environment })
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  for await (const text of createInterface({ input: child.stdout })) {
    const event = parseEvent(JSON.parse(text))
    if (!isSessionEvent(event)) continue
    show.event(event, null)
    if (event.type !== 'tool.started' || show.tool(event.callId) !== 'bash') continue
    await pause(options.pace === 'fast' ? 150 : 350)
    child.kill('SIGKILL')
    break
  }
  await ended
  return child.pid ?? 0
}

async function goOn(root: string, sessionId: string, show: Show): Promise<void> {
  show.chapter('3. The next process takes the session up, and goes on')
  const agent = await demoAgent(root, thirdScript)
  await agent.resumeSession(sessionId)
  const { state } = agent.session
  show.text(
    `Process ${process.pid}, claim ${state?.epoch} of the session. This call has begun, and nothing tells how it ended:`,
  )
  show.take(state)
  await agent.continue({ onEvent: (event) => show.event(event, agent.session.state) })
  await agent.close()
  const published = readFileSync(join(root, 'published.log'), 'utf8').trim().split('\n')
  show.note(
    `published.log has ${counted(published.length, 'line')}. What is unknown is called unknown, and not done twice in silence.`,
  )
}
