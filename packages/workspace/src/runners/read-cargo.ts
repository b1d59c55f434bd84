import type { Reading, ToldTest } from './report-lines.ts'

/**
 * Reads the text that cargo and libtest print, the only form of report on a stable toolchain. Tests print to the same
 * channel: a forged `test a ... ok` shows in the totals at the end, unless these are forged as well.
 *
 * `Running src/lib.rs (…)` is on stderr and the results are on stdout, both in the same order.
 */
export function readCargo(output: readonly string[], complaints: readonly string[]): Reading {
  const programs = programsOf(complaints)
  const tests: ToldTest[] = []
  let sections = 0
  let open: { readonly found: ToldTest[] } | undefined
  let isWhole = true
  let countsAgree = true
  for (const line of output) {
    if (/^running \d+ tests?$/.test(line)) {
      if (open !== undefined) {
        isWhole = false
        tests.push(...open.found)
      }
      open = { found: [] }
      sections += 1
      continue
    }
    if (open === undefined) continue
    const told = testOf(line)
    if (told !== undefined) {
      const program = programs[sections - 1]
      open.found.push({ ...told, path: [program?.name ?? `program ${sections}`, ...told.path], file: program?.file })
      continue
    }
    const total = /^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored; /.exec(line)
    if (total === null) continue
    const [passed = 0, failed = 0, ignored = 0] = total.slice(1).map(Number)
    const counted = (outcome: ToldTest['outcome']) => open?.found.filter((it) => it.outcome === outcome).length
    if (counted('green') !== passed || counted('assertion') !== failed || counted('skipped') !== ignored)
      countsAgree = false
    tests.push(...open.found)
    open = undefined
  }
  if (open !== undefined) {
    tests.push(...open.found)
    isWhole = false
  }
  const errors = complaints.filter(
    (it) => /^error(\[E\d+\])?: /.test(it) && !/^error: (test failed|\d+ targets? failed)/.test(it),
  )
  if (errors.length > 0 && sections === 0) tests.push({ path: ['(build)'], outcome: 'load' })
  return {
    tests,
    files: programs.flatMap((it) => it.file ?? []),
    isWhole,
    countsAgree: countsAgree && sections === programs.length,
  }
}

function testOf(line: string): ToldTest | undefined {
  const [, name, word] = /^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)(?:, .*)?$/.exec(line) ?? []
  if (name === undefined || word === undefined) return undefined
  // Doctests are named by line, which changes with any edit above them.
  const stable = name.replace(/ \(line \d+\)/, '')
  return { path: [stable], outcome: word === 'ok' ? 'green' : word === 'FAILED' ? 'assertion' : 'skipped' }
}

interface Program {
  readonly name: string
  readonly file?: string
}

function programsOf(complaints: readonly string[]): readonly Program[] {
  return complaints.flatMap((line): Program[] => {
    const [, file, program] =
      /^\s+Running (?:unittests )?(\S+\.rs) \(.*?([^/\\]+?)(?:-[0-9a-f]{16})?(?:\.exe)?\)$/.exec(line) ?? []
    if (file !== undefined) return [{ name: `${program} ${file}`, file }]
    const docs = /^\s+Doc-tests (\S+)$/.exec(line)?.[1]
    return docs === undefined ? [] : [{ name: `doc-tests ${docs}` }]
  })
}
