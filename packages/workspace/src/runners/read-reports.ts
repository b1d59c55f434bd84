import { readFile, readdir } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { readCargo } from './read-cargo.ts'
import { readEslint } from './read-eslint.ts'
import { readGo } from './read-go.ts'
import { readTsc } from './read-tsc.ts'
import { type Reading, ReportLine, type ToldTest } from './report-lines.ts'
import type { ReportDoubt, RunnerName, RunnerReport, ReportedTest } from './runner.ts'

/**
 * The reports of all runners of a command, one per run, in the order of their file names. None means that no known
 * runner has run. Where two contain the same test, believe the worse result: a report can be added, but not removed.
 */
export async function readReports(folder: string, root: string): Promise<readonly RunnerReport[]> {
  const names = (await readdir(folder)).filter((it) => it.endsWith('.jsonl')).toSorted()
  const all = await Promise.all(names.map(async (name) => readReport(await readFile(join(folder, name), 'utf8'), root)))
  return all.flatMap((it) => it ?? [])
}

/** One report from its text; undefined if it does not name its runner. `root` is the project as the command saw it. */
export function readReport(text: string, root: string): RunnerReport | undefined {
  const { lines, foreign } = reportLines(text)
  const start = lines.flatMap((it) => ('start' in it ? [it.start] : []))[0]
  if (start === undefined) return undefined
  const place = (path: string) => inside(root, resolve(start.cwd, path))
  const reading = readingOf(start.runner, lines)
  const results = named(reading.tests, place)
  const exit = lines.flatMap((it) => ('exit' in it ? [it.exit] : []))
  const exitCode = exit.at(-1)
  const all = <Key extends 'file' | 'setting' | 'pattern'>(key: Key) =>
    lines.flatMap((it) => (key in it ? [(it as Record<Key, string>)[key]] : []))
  const isRed = results.some((it) => it.outcome === 'assertion' || it.outcome === 'load')
  const isWhole = reading.isWhole && lines.some((it) => 'end' in it)
  const doubts: readonly (ReportDoubt | false)[] = [
    !isWhole && 'cut_short',
    exitCode !== undefined &&
      isRed !== (exitCode !== 0) &&
      !isNothingToRun(start.runner, exitCode, results) &&
      'exit_code',
    !reading.countsAgree && 'counts',
    foreign && 'foreign_lines',
  ]
  return {
    runner: start.runner,
    folder: inside(root, start.cwd),
    arguments: start.arguments,
    results,
    testFiles: unique([
      ...[...(reading.files ?? []), ...all('file')].map(place),
      ...results.flatMap((it) => (it.file === undefined ? [] : [it.file])),
    ]),
    settings: unique(all('setting').map(place)).filter((it) => !isAbsolute(it) && !`/${it}`.includes('/node_modules/')),
    patterns: unique([...(start.patterns ?? []), ...all('pattern')]),
    exitCode,
    doubts: doubts.filter((it) => it !== false),
  }
}

function reportLines(text: string): { readonly lines: readonly ReportLine[]; readonly foreign: boolean } {
  const lines: ReportLine[] = []
  let foreign = false
  for (const line of text.split('\n')) {
    if (line === '') continue
    const parsed = ReportLine.safeParse(jsonOf(line))
    if (parsed.success) lines.push(parsed.data)
    else foreign = true
  }
  // Each of these lines is written once: a second one did not come from the runner.
  for (const key of ['start', 'end', 'exit']) if (lines.filter((it) => key in it).length > 1) foreign = true
  return { lines, foreign }
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function readingOf(runner: RunnerName, lines: readonly ReportLine[]): Reading {
  const raw = lines.flatMap((it) => ('raw' in it ? [it.raw] : []))
  switch (runner) {
    case 'cargo test':
      return readCargo(
        raw,
        lines.flatMap((it) => ('complaint' in it ? [it.complaint] : [])),
      )
    case 'go test':
      return readGo(raw)
    case 'tsc':
      return readTsc(raw)
    case 'eslint':
      return readEslint(raw)
    case 'node:test':
    case 'vitest':
    case 'jest':
    case 'mocha':
    case 'pytest':
    case 'unittest': {
      const tests = lines.flatMap((it) => ('test' in it ? [it.test] : []))
      const counts = lines.flatMap((it) => ('counts' in it ? [it.counts] : [])).at(-1)
      const own = tests.filter((it) => it.path.length > 0).length
      return { tests, isWhole: true, countsAgree: counts?.all === undefined || own >= counts.all }
    }
    default:
      return runner satisfies never
  }
}

/** Runners have their own exit code for "no tests found". */
function isNothingToRun(runner: RunnerName, exitCode: number, results: readonly ReportedTest[]): boolean {
  const isEmpty = results.every((it) => it.outcome === 'skipped')
  return isEmpty && exitCode === (runner === 'pytest' || runner === 'unittest' ? 5 : 1)
}

function named(tests: readonly ToldTest[], place: (path: string) => string): readonly ReportedTest[] {
  const seen = new Map<string, number>()
  return tests.map(({ path, file, outcome }) => {
    const where = file == null ? undefined : place(file)
    const name = [...(where === undefined ? [] : [where]), ...path].join(' › ')
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return { name: count === 1 ? name : `${name} (${count})`, ...(where === undefined ? {} : { file: where }), outcome }
  })
}

function inside(root: string, path: string): string {
  const place = relative(root, path)
  if (place === '..' || place.startsWith(`..${sep}`) || isAbsolute(place)) return path
  return sep === '/' ? place : place.replaceAll(sep, '/')
}

function unique(all: readonly string[]): readonly string[] {
  return [...new Set(all)]
}
