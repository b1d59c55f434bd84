import { textOf } from '@loader/session-core'
import { WorkflowMode } from '@loader/session-core/coding'
import * as z from 'zod'
import type { Program } from '../arguments/command.ts'
import { type ExitCode, exitNumber } from '../console/exit-codes.ts'
import type { Begun } from '../run/begin.ts'
import { onCrash } from '../run/crash.ts'
import { wayBack } from '../run/way-back.ts'
import type { LineStyle } from '../screen/event-lines.ts'
import { glyphsFor } from '../screen/glyphs.ts'
import { paintFor } from '../screen/paint.ts'
import { Conversation } from './conversation.ts'
import { FullTerminal } from './full-terminal.ts'
import { PlainTerminal } from './plain-terminal.ts'
import type { Terminal } from './terminal.ts'

/** Runs the conversation at a terminal until the user leaves. */
export async function runInteractive(begun: Begun, program: Program): Promise<ExitCode> {
  const { given, console } = begun
  const style = { paint: paintFor(given, console), glyphs: glyphsFor(console) }
  const terminal = terminalFor(begun, style)
  const talk = new Conversation(begun, program, terminal, style, () => leaveAtOnce('interrupted'))
  const leaveAtOnce = (code: ExitCode) => {
    terminal.close()
    console.stdout.write(farewell(talk))
    process.exit(exitNumber(code))
  }
  const crash = onCrash((error) => {
    terminal.close()
    console.stderr.write(
      `loader: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n${farewell(talk)}`,
    )
  })
  const onTerminate = () => leaveAtOnce('terminated')
  process.on('SIGTERM', onTerminate)
  try {
    terminal.attach(talk)
    talk.chat.wish(wishesOf(begun))
    talk.greet()
    await talk.run()
    terminal.close()
    console.stdout.write(farewell(talk))
    return 'ok'
  } finally {
    process.off('SIGTERM', onTerminate)
    crash.stop()
    terminal.close()
    await talk.chat.agent.close()
  }
}

/** How to resume the session, if there is one. */
function farewell({ chat, begun }: Conversation): string {
  const { id, state } = chat.agent.session
  if (state === null || begun.given.has('ephemeral')) return ''
  const back = wayBack(begun.given, begun.places, id, begun.address)
  return back.kind === 'resume' ? `Go on later with: ${back.command}\n` : `${back.why}\n`
}

/** Uses the full terminal if it is supported and not turned off, else plain lines. */
function terminalFor(begun: Begun, style: Omit<LineStyle, 'columns'>): Terminal {
  const { console } = begun
  const isFull = console.environment['TERM'] !== 'dumb' && 'setRawMode' in console.stdin
  return isFull ? new FullTerminal(console, style, historyOf(begun)) : new PlainTerminal(console)
}

/** Earlier inputs of the user in this session. */
function historyOf({ agent }: Begun): string[] {
  return agent.messages
    .filter(({ origin }) => origin === 'input' || origin === 'steering')
    .map(({ content }) => textOf(content))
}

/** The options for the first task. */
function wishesOf({ given }: Begun) {
  const mode = z.optional(WorkflowMode).parse(given.value('mode'))
  const doneWhen = given.values('check').map((command) => ({ command }))
  return { ...(mode && { mode }), ...(doneWhen.length > 0 && { doneWhen }) }
}
