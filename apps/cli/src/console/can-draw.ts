import type { Console } from './console.ts'

/** Whether a conversation can be drawn, or has to do with lines. */
export function canDraw({ environment, stdin }: Console): boolean {
  return environment['TERM'] !== 'dumb' && 'setRawMode' in stdin
}
