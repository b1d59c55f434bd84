import { randomBytes } from 'node:crypto'
import type { Environment } from '@loader/session-core'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** The clock and the chance of this machine. Ids sort by the time they were made and are safe as file names. */
export function systemEnvironment(): Environment {
  return {
    now: () => new Date().toISOString(),
    newId: (prefix) => `${prefix}_${encodeTime(Date.now())}${encodeChance()}`,
  }
}

function encodeTime(time: number): string {
  let rest = time
  let text = ''
  for (let place = 0; place < 9; place += 1) {
    text = `${alphabet[rest % 32]}${text}`
    rest = Math.floor(rest / 32)
  }
  return text
}

const chanceOfId = 11

/** Drawn for many ids at once: asking the system takes longer than all else about an id. No byte serves two ids. */
let drawn: Uint8Array = new Uint8Array(0)
let spent = 0

function encodeChance(): string {
  if (spent + chanceOfId > drawn.length) {
    drawn = randomBytes(chanceOfId * 64)
    spent = 0
  }
  const end = spent + chanceOfId
  let text = ''
  for (; spent < end; spent += 1) text += alphabet[(drawn[spent] as number) % 32]
  return text
}
