import { counted, inOneLine, leftOutText, listensWords, shortCount, type StatusOutput, whenAt } from '@loader/readings'
import { padEnd, wrap } from '../screen/width.ts'
import { elsewhereWords } from './evidence-lines.ts'
import { sessionHeading, type HeadingOptions } from './session-heading.ts'
import { shownPath } from './shown-path.ts'

type Session = NonNullable<StatusOutput['session']>
type Servers = NonNullable<NonNullable<Session['policy']>['servers']>

/** The width of the column of names. */
const nameWidth = 12

export function statusLines(status: StatusOutput, options: HeadingOptions): string[] {
  const { project, trusted, model, permissionMode, sessions, damaged, session } = status
  return [
    ...row('project', `${project}${trusted ? ' (trusted)' : ' (not trusted: its allow rules do not count)'}`, options),
    ...row('model', model ?? 'none chosen: loader models', options),
    ...row('permissions', permissionMode, options),
    ...row('sessions', sessions === 0 ? 'none yet' : counted(sessions, 'session'), options),
    ...(damaged.length === 0 ? [] : row('damaged', `${damaged.join(', ')}: loader doctor`, options)),
    ...(session === null ? [] : ['', ...sessionHeading(session, options), ...sessionLines(session, project, options)]),
  ]
}

function sessionLines(session: Session, root: string, options: HeadingOptions): string[] {
  const { model, policy, openTurn, queue, writer, lastTurn, touchedFiles, compactions, mode, messages } = session
  const window = `${counted(messages, 'message')}${compactions === 0 ? '' : `, compacted ${counted(compactions, 'time')}`}`
  return [
    ...row('state', openTurn === null ? `resting, in mode ${mode}` : `a turn is open, in mode ${mode}`, options),
    ...(writer === null ? [] : row('writer', writer, options)),
    ...(openTurn === null ? [] : openTurnLines(openTurn, options)),
    ...queue.flatMap((text) => row('waiting', text, options)),
    ...(lastTurn === null ? [] : row('last turn', endOf(lastTurn, session, options), options)),
    ...placeLines(session, root, options),
    ...row('used model', model ?? 'none yet', options),
    ...(policy === null ? [] : row('policy', policyOf(policy), options)),
    ...(policy?.servers ?? []).flatMap((server) => row('mcp server', serverText(server), options)),
    ...session.background.flatMap(({ id, command, ports }) =>
      row(id, `${command}; ${listensWords({ ports })}`, options),
    ),
    ...row('window', window, options),
    ...(touchedFiles.length === 0
      ? []
      : row('changed', filesOf(touchedFiles.map((path) => shownPath(root, path))), options)),
    ...row('tokens', `${shortCount(session.inputTokens)} in, ${shortCount(session.outputTokens)} out`, options),
  ]
}

function openTurnLines(turn: NonNullable<Session['openTurn']>, options: HeadingOptions): string[] {
  const { input, phase, startedAt, openCalls } = turn
  return [
    ...row('open turn', `"${input}", in phase ${phase}, since ${whenAt(startedAt, options.now)}`, options),
    ...openCalls.flatMap((call) => row('open call', call, options)),
  ]
}

function endOf(
  { reason, verdict, finishedAt }: NonNullable<Session['lastTurn']>,
  { judgedElsewhere }: Session,
  { now }: HeadingOptions,
): string {
  const judged = verdict === null ? '' : `, ${verdict}${elsewhereWords(judgedElsewhere)}`
  return `${reason}${judged}, ${whenAt(finishedAt, now)}`
}

/** Where the session is, if that is not here, and what was left out on the way. */
function placeLines({ place, judgedElsewhere }: Session, root: string, options: HeadingOptions): string[] {
  if (place === null) return []
  const { missing, machine } = place
  return [
    ...(place.root === root ? [] : row('is in', `${place.root} (${machine})`, options)),
    ...(missing.length === 0 ? [] : row('left out', leftOutText(missing), options)),
    ...(judgedElsewhere === null ? [] : row('check here', 'loader check', options)),
  ]
}

function policyOf({ mode, ruleCounts, rulesSource, audience }: NonNullable<Session['policy']>): string {
  const { allow, deny, ask } = ruleCounts
  const rules = `rules: ${allow} allow, ${ask} ask, ${deny} deny${rulesSource === null ? '' : ` (${rulesSource})`}`
  return `${mode}; ${rules}; ${audience === 'nobody' ? 'it ran non-interactively' : 'it ran interactively'}`
}

function serverText({ name, state, tools, version, walls, why }: Servers[number]): string {
  const about = [
    ...(version === undefined ? [] : [version]),
    ...(tools === undefined ? [] : [counted(tools, 'tool')]),
    ...(walls === undefined ? [] : [walls === 'none' ? 'without walls' : `in walls (${walls})`]),
    ...(why === undefined ? [] : [why]),
  ]
  return `${name} ${state}${about.length === 0 ? '' : `: ${about.join(', ')}`}`
}

function filesOf(files: readonly string[]): string {
  const shown = files.slice(-5).join(', ')
  return files.length > 5 ? `${shown} and ${files.length - 5} more` : shown
}

function row(name: string, text: string, { width, paint }: HeadingOptions): string[] {
  const [first = '', ...rest] = wrap(inOneLine(text), width - nameWidth - 2)
  const indent = ' '.repeat(nameWidth + 2)
  return [`${paint('dim', padEnd(name, nameWidth))}  ${first}`, ...rest.map((line) => indent + line)]
}
