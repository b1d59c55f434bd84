import type { Reading, ToldTest } from './report-lines.ts'

/** Reads the errors of the compiler. Each error is red; there are no names for what passes. */
export function readTsc(lines: readonly string[]): Reading {
  const tests = lines.flatMap((line): ToldTest[] => {
    const [, file, code, message] = /^(.+?)\(\d+,\d+\): error (TS\d+): (.*)$/.exec(line) ?? []
    if (file !== undefined && code !== undefined && message !== undefined) {
      return [{ path: [code, message], file, outcome: 'assertion' }]
    }
    // An error without a position is about the settings or the command.
    const [, own, said] = /^error (TS\d+): (.*)$/.exec(line) ?? []
    return own === undefined || said === undefined ? [] : [{ path: [own, said], outcome: 'load' }]
  })
  return { tests, isWhole: true, countsAgree: true }
}
