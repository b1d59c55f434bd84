import type { Reading, ToldTest } from './report-lines.ts'

/** Reads what the compiler complains about: what is wrong is red, there is no name for what is right. */
export function readTsc(lines: readonly string[]): Reading {
  const tests = lines.flatMap((line): ToldTest[] => {
    const [, file, code, message] = /^(.+?)\(\d+,\d+\): error (TS\d+): (.*)$/.exec(line) ?? []
    if (file !== undefined && code !== undefined && message !== undefined) {
      return [{ path: [code, message], file, outcome: 'assertion' }]
    }
    // Without a place it is about the settings or the command.
    const [, own, said] = /^error (TS\d+): (.*)$/.exec(line) ?? []
    return own === undefined || said === undefined ? [] : [{ path: [own, said], outcome: 'load' }]
  })
  return { tests, isWhole: true, countsAgree: true }
}
