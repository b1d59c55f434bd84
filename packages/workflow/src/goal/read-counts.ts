import type { Evidence } from '@loader/session-core/coding'

export type Counts = NonNullable<Evidence['counts']>

/**
 * How many tests passed, failed and were left out, from the output of a runner that is known: vitest, jest, mocha,
 * `node --test`, pytest, unittest, cargo, go, and whatever writes TAP. Undefined when it is none of them. Several
 * summaries add up: a project of many packages prints one for each.
 */
export function readCounts(output: string): Counts | undefined {
  const text = withoutColours(output)
  const found = readers.flatMap((read) => read(text))
  if (found.length > 0) return found.reduce(sum)
  return tapLines(text) ?? noTests(text)
}

type Reader = (text: string) => readonly Counts[]

const readers: readonly Reader[] = [
  // `Tests  1 failed | 5 passed | 2 skipped (8)`
  (text) => [...text.matchAll(/(?:^|\s)Tests {2,}(\d+ \w+(?: \| \d+ \w+)*|no tests)(?: \(\d+\))?\s*$/gm)].map(list),
  // `Tests:       1 failed, 2 skipped, 3 passed, 6 total`
  (text) => [...text.matchAll(/(?:^|\s)Tests:\s+((?:\d+ \w+, )*\d+ total)/gm)].map(list),
  // `===== 3 passed, 1 skipped in 0.12s =====`, and without the bars
  (text) =>
    [...text.matchAll(/^(?:=+ )?(\d+ \w+(?:, \d+ \w+)*|no tests ran) in [\d.]+s(?: \([\d:]+\))?(?: =+)?\s*$/gm)].map(
      list,
    ),
  mocha,
  nodeTest,
  unittest,
  // `test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out`
  (text) => [...text.matchAll(/^test result: \w+\. (\d+ passed; \d+ failed; \d+ ignored)/gm)].map(list),
  // `Summary [   0.012s] 3 tests run: 3 passed, 0 skipped`
  (text) => [...text.matchAll(/^[ \t]*Summary \[[^\]\n]*\] +\d+ tests? run: (.*)$/gm)].map(list),
  go,
]

const words: Readonly<Record<string, keyof Counts>> = {
  passed: 'passed',
  passing: 'passed',
  pass: 'passed',
  xpassed: 'passed',
  failed: 'failed',
  failing: 'failed',
  fail: 'failed',
  failures: 'failed',
  error: 'failed',
  errors: 'failed',
  cancelled: 'failed',
  skipped: 'skipped',
  pending: 'skipped',
  todo: 'skipped',
  ignored: 'skipped',
  xfailed: 'skipped',
}
const none: Counts = { passed: 0, failed: 0, skipped: 0 }

function list([, numbers = '']: RegExpMatchArray): Counts {
  return listed(numbers)
}

/** Numbers with a word behind them. */
function listed(numbers: string): Counts {
  return [...numbers.matchAll(/(\d+) (\w+)/g)].map(([, number, word]) => counted(word, number)).reduce(sum, none)
}

function mocha(text: string): readonly Counts[] {
  return [...text.matchAll(/^ {2}\d+ passing \(.*\)(?:\n {2}\d+ (?:pending|failing))*/gm)].map(([summary]) =>
    listed(summary),
  )
}

/** `# pass 3` or `ℹ pass 3`, in lines of their own behind `# tests 3`. */
function nodeTest(text: string): readonly Counts[] {
  return [...text.matchAll(/^(?:#|ℹ) tests \d+\n(?:(?:#|ℹ) \w+ [\d.]+\n?)+/gmu)].map(([block]) =>
    [...block.matchAll(/^\S (\w+) (\d+)$/gm)].map(([, word, number]) => counted(word, number)).reduce(sum, none),
  )
}

/** `Ran 3 tests in 0.001s`, then `OK (skipped=1)` or `FAILED (failures=1, errors=1)`. */
function unittest(text: string): readonly Counts[] {
  return [...text.matchAll(/^Ran (\d+) tests? in [\d.]+s\n+(?:OK|FAILED|NO TESTS RAN)(?: \((.*)\))?/gm)].map(
    ([, ran, details = '']) => {
      const { failed, skipped } = [...details.matchAll(/(\w+)=(\d+)/g)]
        .map(([, word, number]) => counted(word, number))
        .reduce(sum, none)
      return { passed: Math.max(0, Number(ran) - failed - skipped), failed, skipped }
    },
  )
}

/** Tests where they are named, which takes `-v`; else packages. */
function go(text: string): readonly Counts[] {
  const packages = [...text.matchAll(/^(ok|FAIL|\?)[ \t]+\S+[ \t]+(?:\(cached\)|[\d.]+s|\[.*\])(.*)$/gm)]
  if (packages.length === 0) return []
  const tests = [...text.matchAll(/^--- (PASS|FAIL|SKIP): /gm)].map(([, word]) => counted(goWords[word ?? ''], '1'))
  if (/^--- PASS: /m.test(text)) return tests
  return packages.map(([line, word]) => {
    const ran = !line.includes('[no test files]') && !line.includes('[no tests to run]')
    return { passed: word === 'ok' && ran ? 1 : 0, failed: word === 'FAIL' ? 1 : 0, skipped: 0 }
  })
}

const goWords: Readonly<Record<string, string>> = { PASS: 'passed', FAIL: 'failed', SKIP: 'skipped' }

/** Any other writer of TAP: its lines, of which those further in belong to one of these. */
function tapLines(text: string): Counts | undefined {
  if (!/^1\.\.\d+/m.test(text)) return undefined
  return [...text.matchAll(/^(not )?ok\b(.*)$/gm)]
    .map(([, not, rest = '']) => {
      const leftOut = /#\s*(?:skip|todo)/i.test(rest)
      return counted(leftOut ? 'skipped' : not === undefined ? 'passed' : 'failed', '1')
    })
    .reduce(sum, none)
}

/** What runners say instead of a summary when there was nothing to run. */
function noTests(text: string): Counts | undefined {
  return /^[ \t]*(?:No tests? files? found|No tests found|no tests ran|no test files)\b/im.test(text) ? none : undefined
}

function counted(word: string | undefined, number: string | undefined): Counts {
  const name = Object.hasOwn(words, word ?? '') ? words[word ?? ''] : undefined
  return name === undefined ? none : { ...none, [name]: Number(number) }
}

function sum(first: Counts, second: Counts): Counts {
  return {
    passed: first.passed + second.passed,
    failed: first.failed + second.failed,
    skipped: first.skipped + second.skipped,
  }
}

function withoutColours(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replaceAll('\r\n', '\n').replace(/\u001B\[[\d;]*m/g, '')
}
