import type { AgentEvent } from '@loader/agent'
import type { EventOf, SessionState, ToolOutcome } from '@loader/session-core'
import { ruleText } from '@loader/workflow'
import { backgroundEndWords } from '@loader/session-core/coding'
import { counted, fullTime, hookWords, inOneLine, listensWords, moveText, shortCount } from '@loader/readings'
import { changedLines, diffLines, diffStyles } from './diff-lines.ts'
import { endLines } from './end-lines.ts'
import type { Glyphs } from './glyphs.ts'
import { marked } from './hanging.ts'
import type { Paint, Style } from './paint.ts'
import { resultWords } from './result-words.ts'
import type { Seen } from './seen.ts'
import { cut } from './width.ts'

export interface LineStyle {
  readonly paint: Paint
  readonly glyphs: Glyphs
  readonly columns: number
  /** When a call is printed: as it starts, or with its result, because what runs is shown elsewhere. */
  readonly calls?: 'started' | 'finished'
}

/** The lines for an event; none for events that only matter to programs. */
export function eventLines(event: AgentEvent, seen: Seen, look: LineStyle, state: SessionState | null): string[] {
  const { glyphs } = look
  switch (event.type) {
    case 'workflow.decided':
      return isShownOtherwise(event) || !seen.decides(event.entry.summary)
        ? []
        : noted(inPlainWords(event.entry.summary), look)
    case 'policy.applied':
      return seen.serverNews(event).flatMap(({ text, isTrouble }) => {
        return noted(text, look, isTrouble ? { mark: glyphs.interrupted, style: 'yellow' } : undefined)
      })
    case 'tool.started':
      return look.calls === 'finished' ? [] : callLines(event.callId, seen, look)
    case 'tool.finished':
      return resultLines(event, seen, look)
    case 'question.answered':
      return answerLines(event, look)
    case 'permission.rule_added':
      // One that is kept for longer is told with its place.
      return event.scope === 'session' ? noted(`for this session: ${ruleText(event.rule)}`, look) : []
    case 'workspace.observed':
      return event.noTree === undefined || !seen.lacksTrees(event.noTree)
        ? []
        : noted(`no undo and no evidence: ${event.noTree}`, look, { mark: glyphs.interrupted, style: 'yellow' })
    case 'workspace.prepared':
      return noted(moveText({ to: event.place, from: event.from, missing: event.missing }), look)
    case 'check.started':
      return event.baseline ? [] : headLines(`check: ${event.command}`, look)
    case 'check.finished':
      // Results of other rooms are part of the judgement.
      return event.evidence.baseline ? [] : checkLines(event, look)
    case 'model.failed':
      return failureLines(event, seen, look)
    case 'model.interrupted':
      return noted(`cut off (${event.reason}); what came is kept`, look, { mark: glyphs.interrupted, style: 'yellow' })
    case 'wait.started':
      return waitLines(event, seen, look)
    case 'context.compacted':
      return noted(`compacted: ${shortCount(event.tokensBefore)} tokens became ${shortCount(event.tokensAfter)}`, look)
    case 'context.compaction_failed':
      return noted(`not compacted: ${event.reason}`, look)
    case 'session.claimed':
      return event.epoch > 1 ? noted(`session taken up again (claim ${event.epoch})`, look) : []
    case 'background.listened':
      return noted(`${event.id} ${listensWords(event)}`, look)
    case 'background.ended':
      return noted(`${event.id} ${backgroundEndWords(event)}`, look)
    case 'child.finished':
      return noted(`agent ${event.childId} ${event.outcome === 'ok' ? 'is done' : event.outcome}`, look)
    case 'child.merged':
      return mergedLines(event, look)
    case 'hook.finished':
    case 'hook.ended':
      return hookLines(event, look)
    case 'port.published':
      return noted(`port ${event.port} of ${event.id} is at http://127.0.0.1:${event.hostPort}`, look)
    case 'turn.finished':
      return endLines(event, look, state)
    default:
      return []
  }
}

/** A yes, and every answer that was given elsewhere, so that the user at this terminal sees what became of the question. */
function answerLines(event: EventOf<'question.answered'>, look: LineStyle): string[] {
  const { permit, scope = 'once', via } = event
  const what = permit === 'allow' ? allowed[scope] : permit === 'deny' ? 'denied' : 'answered'
  if (via === undefined) return permit === 'allow' ? noted(what, look) : []
  const where = via.from === 'browser' ? 'in the browser' : `from ${inOneLine(via.from)}`
  return noted(`${where}: ${what}`, look)
}

/** Only what was not taken over is news: the rest is in the result of the call. */
function mergedLines({ childId, files }: EventOf<'child.merged'>, look: LineStyle): string[] {
  const { glyphs } = look
  const conflicts = files.flatMap(({ path, outcome }) => (outcome === 'conflict' ? [path] : []))
  if (conflicts.length === 0) return []
  const style = { mark: glyphs.interrupted, style: 'yellow' } as const
  return noted(`not taken over from agent ${childId}: ${conflicts.join(', ')}`, look, style)
}

/** Hooks that have nothing to say are not told of; what one objects to is told by what follows. */
function hookLines(event: EventOf<'hook.finished'> | EventOf<'hook.ended'>, look: LineStyle): string[] {
  const words = hookWords(event)
  if (words === undefined) return []
  const isTrouble = event.note !== undefined && event.ran?.exitCode !== 0
  const trouble = isTrouble ? ({ mark: look.glyphs.interrupted, style: 'yellow' } as const) : undefined
  return noted(`hook ${event.hook}: ${words}`, look, trouble)
}

/** Decisions say which part of the runtime they are of; that is for programs. */
function inPlainWords(summary: string): string {
  return summary.replace(/^(?:completion|policy): /, '')
}

/**
 * Whether other lines show this decision: results of checks follow the checks, and the end of the turn has the
 * judgement.
 */
function isShownOtherwise({ entry }: EventOf<'workflow.decided'>): boolean {
  switch (entry.kind) {
    case 'verify_observation':
      return entry.policyOutcome !== 'planned' && entry.policyOutcome !== 'stale'
    case 'verify_skip':
    case 'completion_check':
    case 'completion_complete':
    case 'completion_finalize':
      return true
    default:
      return false
  }
}

/** What the model thought before it spoke, cut to two lines: all of it is in the recording. */
export function thoughtLines(text: string, { paint, glyphs, columns }: LineStyle): string[] {
  const style = (line: string) => paint(['dim', 'italic'], line)
  return marked(glyphs.thought, text, { columns, most: 2, paint: style, paintMark: (sign) => paint('dim', sign) })
}

interface Noted {
  readonly mark: string
  readonly style: Style
}

function noted(
  text: string,
  { paint, glyphs, columns }: LineStyle,
  { mark, style }: Noted = { mark: glyphs.decision, style: 'dim' },
): string[] {
  return marked(mark, text, { columns, paint: (line) => paint(style, line), paintMark: (sign) => paint(style, sign) })
}

function failureLines({ error }: EventOf<'model.failed'>, seen: Seen, look: LineStyle): string[] {
  const told = seen.fails(error.message)
    ? `the model failed: ${error.message}`
    : 'the model failed again, in the same way'
  return noted(told, look, { mark: look.glyphs.failed, style: 'red' })
}

function waitLines({ until, why }: EventOf<'wait.started'>, seen: Seen, look: LineStyle): string[] {
  const [, hour = ''] = fullTime(until).split(' ')
  return noted(`waiting until ${hour}${seen.repeatsFailure(why) ? '' : `: ${why}`}`, look)
}

const allowed = {
  once: 'allowed, this once',
  session: 'allowed, for this session',
  always: 'allowed, always',
} as const

const mostTitle = 3
const mostDiff = 14

function headLines(title: string, { paint, glyphs, columns }: LineStyle): string[] {
  return marked(glyphs.call, title, { columns, most: mostTitle, paintMark: (sign) => paint('cyan', sign) })
}

function callLines(callId: string, seen: Seen, look: LineStyle): string[] {
  // A question is shown when it is asked.
  if (seen.isQuestion(callId)) return []
  const head = seen.headOf(callId)
  if (head === 'none') return []
  return [...headLines(seen.title(callId), look), ...(head === 'whole' ? shortDiff(seen.preview(callId), look) : [])]
}

/** The changed lines of a call, with their numbers. */
function shortDiff(preview: string, { paint, columns }: LineStyle): string[] {
  const lines = changedLines(diffLines(preview) ?? [])
  const shown = lines.slice(0, mostDiff)
  const width = Math.max(0, ...shown.map(({ number }) => String(number).length))
  const more = lines.length - mostDiff
  return [
    ...shown.map(({ kind, number, text }) => {
      const place = paint('dim', String(number).padStart(width))
      return `    ${place} ${paint(diffStyles[kind], cut(text, columns - 6 - width))}`
    }),
    ...(more > 0 ? [paint('dim', `    ... ${counted(more, 'more line')}`)] : []),
  ]
}

function resultLines(event: EventOf<'tool.finished'>, seen: Seen, look: LineStyle): string[] {
  const { paint, glyphs, columns } = look
  const { outcome, callId } = event
  const [first = '', ...others] = resultWords(event)
  const mark = markOf(outcome, glyphs)
  // A denied call was already explained.
  const isSaid = outcome === 'ok' || outcome === 'failed' || outcome === 'denied' || mark === outcome
  const sign = (text: string) => paint(outcomeStyles[outcome], text)
  return [
    ...callLines(callId, seen, look),
    ...marked(mark, isSaid ? first : `${outcome}: ${first}`, {
      columns,
      indent: '  ',
      most: mostTitle,
      paintMark: sign,
    }),
    ...others.map((line) => paint('dim', `    ${cut(line, columns - 5)}`)),
  ]
}

const outcomeStyles: Readonly<Record<ToolOutcome, Style>> = {
  ok: 'green',
  failed: 'red',
  denied: 'yellow',
  interrupted: 'yellow',
  unknown: 'magenta',
}

function markOf(outcome: ToolOutcome, glyphs: Glyphs): string {
  switch (outcome) {
    case 'ok':
      return glyphs.passed
    case 'failed':
      return glyphs.failed
    case 'denied':
      return glyphs.denied
    case 'interrupted':
      return glyphs.interrupted
    case 'unknown':
      return glyphs.unknown
    default:
      return outcome satisfies never
  }
}

function checkLines({ evidence }: EventOf<'check.finished'>, { paint, glyphs, columns }: LineStyle): string[] {
  const { outcome, counts, exitCode } = evidence
  const told = counts === undefined ? [] : [`${counts.passed} passed`, `${counts.failed} failed`]
  const how = outcome === 'interrupted' || outcome === 'skipped' ? [outcome] : []
  const words = [...how, exitCode === null ? 'no exit code' : `exit ${exitCode}`, ...told].join(', ')
  const sign = (mark: string) => paint(checkStyles[outcome], mark)
  return marked(checkMark(outcome, glyphs), words, { columns, indent: '  ', paintMark: sign })
}

const checkStyles = { passed: 'green', failed: 'red', skipped: 'yellow', interrupted: 'yellow' } as const

function checkMark(outcome: keyof typeof checkStyles, glyphs: Glyphs): string {
  switch (outcome) {
    case 'passed':
      return glyphs.passed
    case 'failed':
      return glyphs.failed
    case 'skipped':
    case 'interrupted':
      return glyphs.interrupted
    default:
      return outcome satisfies never
  }
}
