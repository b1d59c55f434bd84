import { shownText, type TurnSummary } from '@loader/session-core'
import type { Evidence } from '@loader/session-core/coding'
import { endWords } from '@loader/workflow'

/**
 * The results of a turn's checks, for people: the judgement, and a line for each check. Empty if there was nothing to
 * judge.
 */
export function verificationText({ evidence, startedAt, judgement, verdict }: TurnSummary): string {
  const ran = evidence.filter((run) => run.startedAt >= startedAt && run.baseline === undefined)
  if (ran.length === 0 && judgement === null) return ''
  // Older versions recorded only a verdict.
  const stands = judgement === null ? [`Verification (${verdict ?? 'unverified'}):`] : endWords(null, judgement)
  return [...stands, ...ran.map(line)].join('\n')
}

const marks = { passed: 'PASS', failed: 'FAIL', skipped: 'SKIP', interrupted: 'CUT OFF' } as const

const longestLine = 120

function line({ outcome, command, output }: Evidence): string {
  const [first = ''] = shownText(output).trim().split('\n')
  const said = first.length > longestLine ? `${first.slice(0, longestLine)}…` : first
  return `- ${marks[outcome]} \`${command}\`${outcome === 'passed' || said === '' ? '' : `: ${said}`}`
}
