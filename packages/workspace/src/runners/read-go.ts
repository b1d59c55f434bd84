import * as z from 'zod'
import type { Reading, ToldTest } from './report-lines.ts'

const Event = z.object({
  Action: z.string(),
  Package: z.string().optional(),
  ImportPath: z.string().optional(),
  Test: z.string().optional(),
  Output: z.string().optional(),
})

/** Reads the events of `go test -json`. A package that fails without a failing test did not compile, or crashed. */
export function readGo(lines: readonly string[]): Reading {
  const tests: ToldTest[] = []
  const open = new Set<string>()
  const failing = new Set<string>()
  let isWhole = true
  let countsAgree = true
  for (const line of lines) {
    const event = eventOf(line)
    if (event === undefined) {
      const [, broken] = /^FAIL\s+(\S+) \[(?:build|setup) failed\]$/.exec(line) ?? []
      if (broken !== undefined) tests.push({ path: [broken], outcome: 'load' })
      continue
    }
    const { Action: action, Package: name = '', Test: test } = event
    const key = `${name} ${test ?? ''}`
    if (action === 'run') open.add(key)
    const outcome = outcomes[action]
    if (outcome === undefined) continue
    const wasOpen = open.delete(key)
    if (test !== undefined) {
      // Before Go 1.20 a test could print a line that looks like the end of a test.
      if (!wasOpen) countsAgree = false
      if (!wasOpen && outcome !== 'assertion') continue
      if (outcome === 'assertion') failing.add(name)
      tests.push({ path: [name, test], outcome })
    } else if (outcome === 'assertion') {
      const cut = [...open].filter((it) => it.startsWith(`${name} `))
      for (const each of cut) tests.push({ path: [name, each.slice(name.length + 1)], outcome: 'load' })
      for (const each of cut) open.delete(each)
      if (cut.length > 0 || !failing.has(name)) tests.push({ path: [name], outcome: 'load' })
    } else {
      // The package reports "ok" although a test has not ended: the process was ended early.
      if ([...open].some((it) => it.startsWith(`${name} `))) isWhole = false
    }
  }
  return { tests, isWhole: isWhole && open.size === 0, countsAgree }
}

const outcomes: Readonly<Record<string, ToldTest['outcome']>> = { pass: 'green', fail: 'assertion', skip: 'skipped' }

function eventOf(line: string): z.infer<typeof Event> | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    return Event.safeParse(JSON.parse(line)).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
