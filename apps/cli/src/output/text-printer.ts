import type { AgentEvent } from '@loader/agent'
import { inLines, serverNews } from '@loader/readings'
import { endWords } from '@loader/workflow'
import type { Console } from '../console/console.ts'
import { errorText } from '../console/error-text.ts'
import { exitNumber } from '../console/exit-codes.ts'
import { asNote } from '../screen/notes.ts'
import type { Printer } from './printer.ts'
import { RunRecord } from './run-record.ts'

/** Prints only the answer to standard output, and progress to standard error. */
export function textPrinter({ stdout, stderr }: Console, { verbose }: { readonly verbose: boolean }): Printer {
  const record = new RunRecord()
  const note = (text: string) => void stderr.write(`${inLines(text).join('\n')}\n`)
  const noteOf = (text: string) => void stderr.write(`${asNote(text)}\n`)
  const isWatched = verbose || stderr.isTTY === true
  // In a terminal, control characters are written as escapes; files and pipes get the text unchanged.
  const shown = (text: string) => (stdout.isTTY === true ? inLines(text).join('\n') : text)
  let noTrees: string | undefined
  let notSaved: string | undefined
  let servers: Parameters<typeof serverNews>[1]
  return {
    begin: () => undefined,
    event(event) {
      record.see(event)
      // Always printed, because without trees the changes cannot be undone later.
      if (event.type === 'workspace.observed' && event.noTree !== undefined && event.noTree !== noTrees) {
        noTrees = event.noTree
        noteOf(`no undo and no evidence: ${noTrees}`)
      }
      // Without its servers a run can do less than it was meant to.
      if (event.type === 'policy.applied') {
        for (const { text, isTrouble } of serverNews(event, servers)) if (isTrouble || isWatched) noteOf(text)
        servers = event.tools?.servers
      }
      // What only the user is told, such as that a hook could not run.
      if ((event.type === 'hook.finished' || event.type === 'hook.ended') && event.note !== undefined)
        noteOf(`hook ${event.hook}: ${event.note}`)
      if (event.type === 'workspace.observed' && event.notSaved !== undefined && event.notSaved !== notSaved) {
        notSaved = event.notSaved
        noteOf(`no other machine can go on: ${notSaved}`)
      }
      const line = isWatched ? progressLine(event, record) : undefined
      if (line !== undefined) note(line)
    },
    end(end) {
      const failed = exitNumber(end.code) !== 0
      if (end.kind === 'finished') {
        const { text, reason, verdict, sessionId } = end.result
        stdout.write(text === '' ? '' : `${shown(text)}\n`)
        for (const words of endWords(end.result.end, null)) note(words)
        if (!failed) return
        note(`loader: ${end.why ?? `The turn ended: ${reason}${verdict ? `, ${verdict}` : ''}`}`)
        note(`Why: loader why ${sessionId}`)
      } else note(`loader: ${errorText(end.error)}`)
      if (end.resume !== undefined) note(`Go on with: ${end.resume}`)
    },
  }
}

function progressLine(event: AgentEvent, record: RunRecord): string | undefined {
  switch (event.type) {
    case 'delta.status':
      return event.message
    case 'tool.started':
      return `running ${record.call(event.callId)?.name ?? event.callId}`
    case 'check.started':
      return `checking ${event.command}`
    case 'model.failed':
      return `the model failed: ${event.error.message}`
    default:
      return undefined
  }
}
