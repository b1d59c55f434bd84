import type { AgentEvent } from '@loader/agent'
import { inLines } from '@loader/readings'
import { endWords } from '@loader/workflow'
import type { Console } from '../console/console.ts'
import { errorText } from '../console/error-text.ts'
import { exitNumber } from '../console/exit-codes.ts'
import type { Printer } from './printer.ts'
import { RunRecord } from './run-record.ts'

/** Prints only the answer to standard output, and progress to standard error. */
export function textPrinter({ stdout, stderr }: Console, { verbose }: { readonly verbose: boolean }): Printer {
  const record = new RunRecord()
  const note = (text: string) => void stderr.write(`${inLines(text).join('\n')}\n`)
  const isWatched = verbose || stderr.isTTY === true
  // In a terminal, control characters are written as escapes; files and pipes get the text unchanged.
  const shown = (text: string) => (stdout.isTTY === true ? inLines(text).join('\n') : text)
  let noTrees: string | undefined
  return {
    begin: () => undefined,
    event(event) {
      record.see(event)
      // Always printed, because without trees the changes cannot be undone later.
      if (event.type === 'workspace.observed' && event.noTree !== undefined && event.noTree !== noTrees) {
        noTrees = event.noTree
        note(`loader: no undo and no evidence: ${noTrees}`)
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
