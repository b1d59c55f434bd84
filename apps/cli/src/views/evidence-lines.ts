import { shownText } from '@loader/session-core'
import type { Evidence, Verdict } from '@loader/session-core/coding'
import { between, type EvidenceOutput, fullTime, inLines, inOneLine, type JudgedCriterion } from '@loader/readings'
import type { Style } from '../screen/paint.ts'
import { wrap } from '../screen/width.ts'
import type { LinesOptions } from './timeline-lines.ts'

export interface EvidenceOptions extends LinesOptions {
  readonly extent: 'short' | 'full'
}

export function evidenceLines(output: EvidenceOutput, options: EvidenceOptions): string[] {
  const { task, verdict, elsewhere, reasons, criteria, evidence, running } = output
  const isRoom = ({ room, baseline }: Evidence) => room !== undefined && baseline !== undefined
  const runs = evidence.filter((run) => !isRoom(run))
  const roomsOf = ({ checkId, room }: Evidence) =>
    room === undefined ? [] : evidence.filter((run) => run.checkId === checkId && isRoom(run))
  const { paint, width } = options
  if (verdict === null) return wrap('There is no definition of done: no criteria were given or found.', width)
  return [
    ...wrap(`Task: ${inOneLine(task ?? 'not known')}`, width),
    ...wrap(
      `Verdict: ${verdict}${elsewhereWords(elsewhere)}${reasons.length === 0 ? '' : `, because ${reasons.join('; ')}`}`,
      width,
    ).map((line) => paint(verdictStyle(verdict), line)),
    ...(elsewhere === null ? [] : wrap('Run the checks here: loader check', width)),
    '',
    paint('dim', 'CRITERIA'),
    ...criteria.flatMap((criterion) => criterionLines(criterion, options)),
    '',
    paint('dim', 'CHECKS'),
    ...(evidence.length === 0 ? ['  None was run.'] : runs.flatMap((run) => runLines(run, roomsOf(run), options))),
    ...(running === null ? [] : wrap(`  [not ended] ${inOneLine(running.command)}`, width)),
  ]
}

/** `verified elsewhere (linux x64, node 26)`: on the same files, and perhaps not in the same surroundings. */
export function elsewhereWords(machine: string | null): string {
  return machine === null ? '' : ` elsewhere (${inOneLine(machine)})`
}

function verdictStyle(verdict: Verdict): Style {
  if (verdict === 'verified' || verdict === 'waived') return 'green'
  return verdict === 'failed' ? 'red' : 'yellow'
}

export function criterionLines({ text, verdict, reasons }: JudgedCriterion, { width, paint }: LinesOptions): string[] {
  const [first = '', ...rest] = wrap(`  [${verdict}] ${inOneLine(text)}`, width)
  return [
    first.replace(`[${verdict}]`, paint(verdictStyle(verdict), `[${verdict}]`)),
    ...rest,
    ...reasons.flatMap((reason) => wrap(`      ${inOneLine(reason)}`, width)),
  ]
}

function runLines(run: Evidence, rooms: readonly Evidence[], options: EvidenceOptions): string[] {
  const { width, paint, extent } = options
  const { command, cwd, outcome, counts, baseline, output, startedAt, finishedAt } = run
  const facts = [
    exitOf(run),
    ...(counts === undefined ? [] : [`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`]),
    `${between(startedAt, finishedAt)} at ${fullTime(startedAt)}`,
    ...(baseline === undefined ? [] : ['before the work']),
    ...(cwd === undefined ? [] : [`in ${cwd}`]),
  ]
  const [first = '', ...rest] = wrap(`  [${outcome}] ${inOneLine(command)}`, width)
  const text = shownText(output).trim()
  return [
    first.replace(`[${outcome}]`, paint(outcome === 'passed' ? 'green' : 'red', `[${outcome}]`)),
    ...rest,
    ...wrap(`      ${inOneLine(facts.join(', '))}`, width),
    ...treeLines(run, width),
    ...rooms.map((room) => `      ${roomWords(room)}`),
    ...(extent === 'full' && text !== '' ? inLines(text).flatMap((line) => wrap(`      | ${line}`, width)) : []),
  ]
}

/** The result of the check in another room. */
function roomWords({ room = 'before', again, asNow, notShown, outcome, kept }: Evidence): string {
  const more = [
    ...(again === undefined ? [] : ['once more']),
    ...(asNow === undefined ? [] : [`with ${asNow.join(', ')}`]),
  ]
  const shown = notShown === undefined ? (outcome === 'passed' ? 'green' : 'red') : `nothing (${notShown})`
  return `room ${[room, ...more].join(', ')}: ${shown}${kept ? ', kept from before' : ''}`
}

function exitOf({ exitCode, signal }: Evidence): string {
  if (exitCode !== null) return `exit code ${exitCode}`
  return signal === undefined ? 'no exit code' : `ended by ${signal}`
}

/** The tree that was checked, and whether the run changed files. */
function treeLines({ tree, treeAfter }: Evidence, width: number): string[] {
  if (tree === undefined) return wrap('      on which files is not known', width)
  const after = treeAfter === undefined ? ', unchanged by it' : ` before, ${short(treeAfter)} after`
  return wrap(`      tree ${short(tree)}${after}`, width)
}

function short(tree: string): string {
  return tree.slice(0, 12)
}
