import { shownText, type TurnSummary } from '@loader/session-core'
import type { Evidence } from '@loader/session-core/coding'

/** What the checks of a turn showed, for people: a line for each. Empty when none ran in it. */
export function verificationText({ evidence, startedAt, verdict }: TurnSummary): string {
  const ran = evidence.filter((run) => run.startedAt >= startedAt && run.baseline === undefined)
  if (ran.length === 0) return ''
  return [`Verification (${verdict ?? 'unverified'}):`, ...ran.map(line)].join('\n')
}

const marks = { passed: 'PASS', failed: 'FAIL', skipped: 'SKIP', interrupted: 'CUT OFF' } as const

const longestLine = 120

function line({ outcome, command, output }: Evidence): string {
  const [first = ''] = shownText(output).trim().split('\n')
  const said = first.length > longestLine ? `${first.slice(0, longestLine)}…` : first
  return `- ${marks[outcome]} \`${command}\`${outcome === 'passed' || said === '' ? '' : `: ${said}`}`
}
