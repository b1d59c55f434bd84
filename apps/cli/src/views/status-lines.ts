import { counted, inOneLine, shortCount, type StatusOutput, whenAt } from '@loader/readings'
import { padEnd, wrap } from '../screen/width.ts'
import { sessionHead, type HeadOptions } from './session-head.ts'
import { shownPath } from './shown-path.ts'

type Session = NonNullable<StatusOutput['session']>

/** The width of the column of names. */
const nameWidth = 12

export function statusLines(status: StatusOutput, options: HeadOptions): string[] {
  const { project, trusted, model, permissionMode, sessions, damaged, session } = status
  return [
    ...row('project', `${project}${trusted ? ' (trusted)' : ' (not trusted: its allow rules do not count)'}`, options),
    ...row('model', model ?? 'none chosen: loader models', options),
    ...row('permissions', permissionMode, options),
    ...row('sessions', sessions === 0 ? 'none yet' : counted(sessions, 'session'), options),
    ...(damaged.length === 0 ? [] : row('damaged', `${damaged.join(', ')}: loader doctor`, options)),
    ...(session === null ? [] : ['', ...sessionHead(session, options), ...sessionLines(session, project, options)]),
  ]
}

function sessionLines(session: Session, root: string, options: HeadOptions): string[] {
  const { model, policy, openTurn, queue, writer, lastTurn, touchedFiles, compactions, mode, messages } = session
  const window = `${counted(messages, 'message')}${compactions === 0 ? '' : `, compacted ${counted(compactions, 'time')}`}`
  return [
    ...row('state', openTurn === null ? `resting, in mode ${mode}` : `a turn is open, in mode ${mode}`, options),
    ...(writer === null ? [] : row('writer', writer, options)),
    ...(openTurn === null ? [] : openTurnLines(openTurn, options)),
    ...queue.flatMap((text) => row('waiting', text, options)),
    ...(lastTurn === null ? [] : row('last turn', endOf(lastTurn, options), options)),
    ...row('used model', model ?? 'none yet', options),
    ...(policy === null ? [] : row('policy', policyOf(policy), options)),
    ...row('window', window, options),
    ...(touchedFiles.length === 0
      ? []
      : row('changed', filesOf(touchedFiles.map((path) => shownPath(root, path))), options)),
    ...row('tokens', `${shortCount(session.inputTokens)} in, ${shortCount(session.outputTokens)} out`, options),
  ]
}

function openTurnLines(turn: NonNullable<Session['openTurn']>, options: HeadOptions): string[] {
  const { input, phase, startedAt, openCalls } = turn
  return [
    ...row('open turn', `"${input}", in phase ${phase}, since ${whenAt(startedAt, options.now)}`, options),
    ...openCalls.flatMap((call) => row('open call', call, options)),
  ]
}

function endOf({ reason, verdict, finishedAt }: NonNullable<Session['lastTurn']>, { now }: HeadOptions): string {
  return `${reason}${verdict === null ? '' : `, ${verdict}`}, ${whenAt(finishedAt, now)}`
}

function policyOf({ mode, ruleCounts, rulesSource, audience }: NonNullable<Session['policy']>): string {
  const { allow, deny, ask } = ruleCounts
  const rules = `rules: ${allow} allow, ${ask} ask, ${deny} deny${rulesSource === null ? '' : ` (${rulesSource})`}`
  return `${mode}; ${rules}; ${audience === 'nobody' ? 'nobody was there to ask' : 'somebody was there to ask'}`
}

function filesOf(files: readonly string[]): string {
  const shown = files.slice(-5).join(', ')
  return files.length > 5 ? `${shown} and ${files.length - 5} more` : shown
}

function row(name: string, text: string, { width, paint }: HeadOptions): string[] {
  const [first = '', ...rest] = wrap(inOneLine(text), width - nameWidth - 2)
  const indent = ' '.repeat(nameWidth + 2)
  return [`${paint('dim', padEnd(name, nameWidth))}  ${first}`, ...rest.map((line) => indent + line)]
}
