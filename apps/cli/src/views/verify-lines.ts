import { counted, inOneLine, shortBytes } from '@loader/readings'
import type { VerifiedSession, VerifyOutput } from '../schemas/verify.ts'
import type { Paint } from '../screen/paint.ts'
import { wrap } from '../screen/width.ts'

interface Options {
  readonly width: number
  readonly paint: Paint
}

export function verifyLines({ sessions }: VerifyOutput, options: Options): string[] {
  if (sessions.length === 0) return ['There are no sessions in this project yet.']
  const canRepair = sessions.some(({ intact, events }) => !intact && (events?.last ?? 0) > 0)
  const repair = canRepair ? ['', 'Copies that go on are made with: loader doctor --repair'] : []
  return [...sessions.flatMap((session) => sessionLines(session, options)), ...repair]
}

function sessionLines(session: VerifiedSession, { width, paint }: Options): string[] {
  const { id, intact, findings, refused } = session
  const said = (text: string) => wrap(`  ${inOneLine(text)}`, width)
  return [
    ...wrap(
      `${paint(intact ? 'green' : 'red', intact ? 'intact' : 'damaged')}  ${inOneLine(id)}  ${extentOf(session)}`,
      width,
    ),
    ...findings.flatMap(({ file, offset, what, message, severity }) =>
      said(`${severity}: ${what} in ${file}${offset === undefined ? '' : ` at byte ${offset}`}. ${message}`),
    ),
    ...(refused === null ? [] : said(refused)),
  ]
}

/** How much was verified. */
function extentOf({ events, files }: VerifiedSession): string {
  if (events === null) return ''
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const size = `${counted(files.length, 'file')}, ${shortBytes(bytes)}`
  const lost = events.missing.length === 0 ? '' : `, ${missingText(events.missing)} cannot be read`
  return `${events.last === 0 ? 'no event' : `events to ${events.last}`}${lost} (${size})`
}

function missingText(missing: NonNullable<VerifiedSession['events']>['missing']): string {
  const shown = missing.slice(0, 5).map(({ first, last }) => (first === last ? `${first}` : `${first} to ${last}`))
  return [...shown, ...(missing.length > 5 ? ['…'] : [])].join(', ')
}
