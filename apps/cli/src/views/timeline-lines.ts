import type { TimelineEntry } from '@loader/session-core/coding'
import { fullTime, inOneLine, type TimelineOutput } from '@loader/readings'
import type { Paint, Style } from '../screen/paint.ts'
import { wrap } from '../screen/width.ts'

export interface LinesOptions {
  readonly width: number
  readonly paint: Paint
}

interface TimelineOptions extends LinesOptions {
  /** Whether only some decisions were asked for. */
  readonly isFiltered: boolean
}

export function timelineLines(
  { highlights, moves, background, agents, hooks, entries }: TimelineOutput,
  options: TimelineOptions,
): string[] {
  const { paint, width, isFiltered } = options
  const none = isFiltered ? 'No decision fits.' : 'No decisions.'
  const told = highlights.flatMap(({ topic, text }) => wrap(`  ${topic}: ${inOneLine(gistOf(text))}`, width))
  const decided = entries.flatMap((entry, index) => entryLines(entry, entries[index - 1], options))
  return [
    ...headed('HIGHLIGHTS', told, paint),
    ...section('FOLDERS', moves, options),
    ...section('BACKGROUND COMMANDS', background, options),
    ...section('AGENTS', agents, options),
    ...section('HOOKS', hooks, options),
    ...(decided.length === 0 ? [none] : [paint('dim', 'DECISIONS'), ...decided]),
  ]
}

/** What happened besides decisions. */
function section(
  title: string,
  happened: readonly { readonly seq: number; readonly at: string; readonly text: string }[],
  { paint, width }: LinesOptions,
): string[] {
  const lines = happened.flatMap(({ seq, at, text }) => wrap(`  ${fullTime(at)}  #${seq}  ${inOneLine(text)}`, width))
  return headed(title, lines, paint)
}

/** Lines below their title; no title where there are no lines. */
function headed(title: string, lines: readonly string[], paint: Paint): string[] {
  return lines.length === 0 ? [] : [paint('dim', title), ...lines, '']
}

/** The decision of a highlight, which is the beginning of its line. */
function gistOf(text: string): string {
  return (text.split(' | ')[0] ?? '').replace(/^\w+:\s+/, '')
}

function entryLines(entry: TimelineEntry, before: TimelineEntry | undefined, { paint, width }: LinesOptions): string[] {
  const [day, hour] = fullTime(entry.at).split(' ')
  const time = before !== undefined && fullTime(before.at).startsWith(`${day} `) ? hour : `${day} ${hour}`
  const head = `${time}  #${entry.seq}  ${entry.kind}  ${entry.mode}  ${entry.reasonCode}`
  return [
    ...wrap(inOneLine(head), width).map((line) => paint(kindStyle(entry), line)),
    ...wrap(`  ${inOneLine(entry.summary)}`, width),
    ...detailsOf(entry).flatMap((line) => wrap(`    ${inOneLine(line)}`, width).map((part) => paint('dim', part))),
  ]
}

function kindStyle({ kind, policyOutcome }: TimelineEntry): Style {
  if (kind === 'completion_complete' || policyOutcome === 'passed') return 'green'
  if (policyOutcome === 'failed' || kind === 'completion_finalize' || kind === 'repair_fail') return 'red'
  return kind === 'route' || kind === 'handoff' || kind === 'reentry' ? 'cyan' : 'yellow'
}

/** The reasons of a decision, without those that its summary already names. */
function detailsOf(entry: TimelineEntry): string[] {
  const { evidenceProvenance = [], verificationObservations = [], unresolvedQuestions = [], signalSummary = [] } = entry
  const {
    missingReadinessGates = [],
    artifactPaths = [],
    runnerUpMode,
    runnerUpScore,
    routeScore,
    scheduledNextMode,
  } = entry
  const reasons = evidenceProvenance.map(({ status, summary }) => `${status}: ${summary}`)
  const seen = verificationObservations.map(({ status, summary }) => `${status}: ${summary}`)
  const spoken = reasons.length > 0 ? reasons : seen
  return [
    ...(spoken.length > 0 ? spoken : (entry.evidenceSummary ?? [])),
    ...(routeScore === undefined ? [] : [scores({ routeScore, runnerUpMode, runnerUpScore })]),
    ...(signalSummary.length === 0 ? [] : [`signals: ${signalSummary.join(', ')}`]),
    ...unresolvedQuestions.map((question) => `open question: ${question}`),
    ...(missingReadinessGates.length === 0 ? [] : [`still to be known: ${missingReadinessGates.join(', ')}`]),
    ...(scheduledNextMode === undefined ? [] : [`next: ${scheduledNextMode}`]),
    ...artifactPaths.map((path) => `written: ${path}`),
  ]
}

function scores({
  routeScore,
  runnerUpMode,
  runnerUpScore,
}: Pick<TimelineEntry, 'routeScore' | 'runnerUpMode' | 'runnerUpScore'>) {
  const other = runnerUpMode === undefined ? '' : `, next best ${runnerUpMode} ${runnerUpScore ?? ''}`
  return `score ${routeScore}${other}`
}
