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

function encodeChance(): string {
  return [...randomBytes(11)].map((byte) => alphabet[byte % 32]).join('')
}
