import type { Given } from '../arguments/given.ts'

/** The command that goes on with a session, to be copied into the same shell. */
export function resumeCommand(given: Given, sessionId: string): string {
  const folder = given.value('cd')
  return ['loader', ...(folder === undefined ? [] : ['-C', quoted(folder)]), '-r', sessionId].join(' ')
}

function quoted(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
