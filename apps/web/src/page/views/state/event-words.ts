import { callTitle, inOneLine, shortCount } from '@loader/readings'
import { excerptOf, isSessionEvent, shownText, type StoredEvent, textOf } from '@loader/session-core'
import { plainLine } from '../../markdown/plain-line.ts'
import { plain } from '../../model/words.ts'

/** What an event says, in a few words. */
export function eventWords(event: StoredEvent): string {
  return inOneLine(excerptOf(wordsOf(event), 140))
}

function wordsOf(event: StoredEvent): string {
  if (!isSessionEvent(event)) return 'of a newer version'
  switch (event.type) {
    case 'input.queued':
      return shownText(event.text)
    case 'session.claimed':
      return `claim ${event.epoch}`
    case 'model.asked':
      return `${event.model ?? 'model'}, for ${event.purpose}${event.attempt > 1 ? `, attempt ${event.attempt}` : ''}`
    case 'model.answered': {
      const calls = event.content.flatMap((part) => (part.type === 'call' ? [callTitle(part.call)] : []))
      return [plainLine(textOf(event.content)), ...calls].filter((text) => text !== '').join(' · ')
    }
    case 'model.failed':
      return event.error.message
    case 'answer.progressed':
      return event.text ?? event.reasoning ?? ''
    case 'call.examined':
      return [plain(event.effect), event.command ?? '', event.invalid ?? ''].filter((text) => text !== '').join(' · ')
    case 'permission.decided':
      return `${event.permit} by ${event.by}${event.reason === undefined ? '' : `: ${event.reason}`}`
    case 'tool.finished':
      return `${event.outcome}: ${shownText(event.text)}`
    case 'workflow.decided':
      return plainLine(`${plain(event.entry.kind)}: ${event.entry.summary.replace(/^\w+: /, '')}`)
    case 'check.started':
      return `${event.command}${event.room === undefined ? '' : ` · ${plain(event.room)}`}`
    case 'check.finished':
      return `${event.evidence.outcome}: ${event.evidence.command}${event.evidence.room === undefined ? '' : ` · ${plain(event.evidence.room)}`}`
    case 'turn.finished':
      return plainLine(event.summary ?? event.verdict ?? event.reason)
    case 'workspace.observed':
      return event.why ?? ''
    case 'context.compacted':
      return `${shortCount(event.tokensBefore)} to ${shortCount(event.tokensAfter)} tokens`
    case 'question.asked':
      return shownText(event.text)
    case 'wait.started':
      return event.why
    case 'session.titled':
      return event.title
    default:
      return ''
  }
}
