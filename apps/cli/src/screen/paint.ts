import { styleText } from 'node:util'
import type { Given } from '../arguments/given.ts'
import type { Console } from '../console/console.ts'

export type Style = Parameters<typeof styleText>[0]

/** Returns text with or without colour. */
export type Paint = (style: Style, text: string) => string

const plain: Paint = (_style, text) => text
const coloured: Paint = (style, text) => styleText(style, text, { validateStream: false })

/** Whether to use colours: as requested, else if a person reads the output and has not turned them off. */
export function paintFor(given: Given, { stdout, environment }: Console): Paint {
  switch (given.value('color')) {
    case 'always':
      return coloured
    case 'never':
      return plain
    default:
      return isWelcome(stdout.isTTY === true, environment) ? coloured : plain
  }
}

function isWelcome(isTerminal: boolean, environment: Console['environment']): boolean {
  if (environment['NO_COLOR']) return false
  if (environment['FORCE_COLOR'] && environment['FORCE_COLOR'] !== '0') return true
  return isTerminal && environment['TERM'] !== 'dumb'
}
