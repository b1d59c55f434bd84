import { inOneLine } from '@loader/readings'
import type { Given } from '../arguments/given.ts'
import type { Console } from '../console/console.ts'
import type { ExitCode } from '../console/exit-codes.ts'
import { printLines } from '../console/print.ts'
import { whatTrustGives } from '../permissions/what-trust-gives.ts'
import { placesOf } from '../places/places.ts'
import { setTrust } from '../settings/trust.ts'

/** Trusts what this project allows and runs, and lists it; or withdraws the trust. */
export async function run(given: Given, console: Console): Promise<ExitCode> {
  const places = placesOf(given, console)
  if (given.has('revoke')) {
    setTrust(places.config, places.root, 'not trusted')
    printLines(console, [
      `${inOneLine(places.root)} is not trusted any more: its allow rules and most of its settings do not count.`,
    ])
    return 'ok'
  }
  // Read first, because an invalid file must not be trusted.
  const news = whatTrustGives(places)
  setTrust(places.config, places.root, 'trusted')
  printLines(console, [
    `${inOneLine(places.root)} is trusted.`,
    ...(news.length === 0 ? [] : ['From now on this counts:', ...news.map((line) => `  ${line}`)]),
    'Take it back: loader permissions trust --revoke',
  ])
  return 'ok'
}
