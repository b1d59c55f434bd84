import { counted, inOneLine } from '@loader/readings'
import type { DoctorCheck, DoctorOutput, DoctorSession } from '../schemas/doctor.ts'
import type { Style } from '../screen/paint.ts'
import { padEnd, wrap } from '../screen/width.ts'
import type { LinesOptions } from './timeline-lines.ts'

/** The check about all sessions. */
export const sessionsCheck = 'sessions'

const stateWidth = 7
const nameWidth = 12

const styles: Readonly<Record<DoctorCheck['state'], Style>> = {
  ok: 'green',
  note: 'cyan',
  warning: 'yellow',
  failure: 'red',
}

export function doctorLines({ checks, sessions, damaged }: DoctorOutput, options: LinesOptions): string[] {
  const troubled = sessions.filter(
    ({ intact, findings, refused }) => !intact || findings.length > 0 || refused !== null,
  )
  const summary: DoctorCheck = {
    name: sessionsCheck,
    state: damaged > 0 ? 'failure' : 'ok',
    message: `${counted(sessions.length, 'session')} looked at byte by byte, ${damaged === 0 ? 'none' : damaged} damaged`,
  }
  const canRepair = sessions.some(
    ({ intact, repaired, copy, refused }) => !intact && repaired === null && copy === null && refused === null,
  )
  return [
    ...(checks.some(({ name }) => name === sessionsCheck) ? checks : [...checks, summary]).flatMap((check) =>
      checkLines(check, options),
    ),
    ...troubled.flatMap((session) => sessionLines(session, options)),
    ...(canRepair ? ['', 'Copies that go on are made with: loader doctor --repair'] : []),
  ]
}

function checkLines({ name, state, message }: DoctorCheck, { width, paint }: LinesOptions): string[] {
  const margin = stateWidth + nameWidth + 4
  const [first = '', ...rest] = wrap(inOneLine(message), width - margin)
  return [
    `${paint(styles[state], padEnd(state, stateWidth))}  ${padEnd(name, nameWidth)}  ${first}`,
    ...rest.map((line) => ' '.repeat(margin) + line),
  ]
}

function sessionLines(
  { id, intact, findings, repaired, copy, refused }: DoctorSession,
  { width, paint }: LinesOptions,
): string[] {
  const said = (text: string) => wrap(`  ${inOneLine(text)}`, width)
  return [
    '',
    paint(intact ? 'cyan' : 'red', `${id} ${intact ? 'is intact' : 'is damaged'}`),
    ...findings.flatMap(({ file, what, message, severity }) => said(`${severity}: ${what} in ${file}. ${message}`)),
    ...(refused === null ? [] : said(refused)),
    ...(copy === null ? [] : said(`A copy that goes on was made before: ${copy}.`)),
    ...(repaired === null
      ? []
      : said(`A copy that goes on was made: ${repaired.id}, with ${counted(repaired.kept, 'event')}.`)),
    ...(repaired?.lost ?? []).flatMap(({ what, why }) => said(`not in the copy: ${what}. ${why}`)),
  ]
}
