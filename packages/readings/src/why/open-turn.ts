import {
  excerptOf,
  isSessionEvent,
  type OpenCall,
  type History,
  type SessionState,
  shownText,
  type Turn,
} from '@loader/session-core'
import { callTitle } from '../words/call-title.ts'
import { counted } from '../words/amounts.ts'

/** What an open turn is doing or, if no process works on it, what was interrupted. */
export function openTurnSentences(state: SessionState, turn: Turn, history: History, writer: string | null): string[] {
  const worker =
    writer !== null
      ? `It is being worked on: the session is ${writer}.`
      : isAsking(turn)
        ? 'No process has it: the one that asked has ended, and its question waits.'
        : 'No process is working on it: the one that did ended without finishing the turn.'
  return [
    worker,
    `It has come to the phase ${turn.phase}, after ${counted(turn.spent.iterations, 'answer')}.`,
    ...(turn.pending === null ? [] : ['Its input has not been part of any request yet.']),
    ...requestSentences(turn, writer),
    ...turn.calls.filter(({ outcome }) => outcome === undefined).map((open) => callSentence(open, writer)),
    ...questionSentences(turn, history),
    ...checkSentences(state, writer),
    ...(turn.wait === null ? [] : [`It waits until ${turn.wait.until}: ${turn.wait.why}.`]),
    ...(turn.stop === null ? [] : [`It was asked to stop by ${turn.stop.by}${because(turn.stop.reason)}.`]),
  ]
}

/** What resuming the session will do. */
export function openTurnNext(id: string, turn: Turn, writer: string | null): string[] {
  if (writer !== null) return ['Let it end there, or stop it there. Reading it here disturbs nothing.']
  const cut = turn.calls.filter(({ outcome, startedEpoch }) => outcome === undefined && startedEpoch !== undefined)
  return [
    ...(cut.length > 0
      ? [
          'On going on, each call that was cut off is reconciled by looking at what its files hold now; none is run again.',
        ]
      : []),
    isAsking(turn) ? `Go on with your answer: loader -r ${id}` : `Go on where it stopped: loader -r ${id}`,
  ]
}

function requestSentences({ request }: Turn, writer: string | null): string[] {
  if (request?.status !== 'asked') return []
  const arrived = request.partial.length
  const part =
    arrived === 0 ? 'nothing of the answer has arrived' : `${counted(arrived, 'character')} have arrived and are kept`
  return writer === null
    ? [`A request to the model was cut off; ${part}.`]
    : [`It waits for the model, asked at ${request.at}; ${part}.`]
}

function callSentence({ call, startedEpoch, permit }: OpenCall, writer: string | null): string {
  const title = `\`${callTitle(call)}\``
  if (startedEpoch === undefined)
    return `${title} has not run${permit?.permit === 'ask' ? '; it needs a permission' : ''}.`
  return writer === null
    ? `${title} was running when the process ended; whether it took effect has to be found out.`
    : `${title} is running.`
}

function isAsking({ question }: Turn): boolean {
  return question !== null && question.answer === undefined
}

function questionSentences(turn: Turn, history: History): string[] {
  if (!isAsking(turn)) return []
  const asked = history.findLast((event) => isSessionEvent(event) && event.type === 'question.asked')
  const text = asked !== undefined && 'text' in asked ? excerptOf(shownText(asked.text)) : ''
  return [`It waits for an answer of yours${text === '' ? '' : `: ${text}`}`]
}

function checkSentences({ runningCheck }: SessionState, writer: string | null): string[] {
  if (runningCheck === null) return []
  return [
    `The check \`${runningCheck.command}\` ${writer === null ? 'was cut off; it will be run again' : 'is running'}.`,
  ]
}

function because(reason: string | undefined): string {
  return reason === undefined ? '' : `: ${reason}`
}
