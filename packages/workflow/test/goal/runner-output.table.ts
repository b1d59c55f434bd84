import type { Counts } from '../../src/goal/read-counts.ts'

export interface OutputRow {
  readonly runner: string
  readonly output: string
  readonly counts: Counts | undefined
}

function counts(passed: number, failed: number, skipped: number): Counts {
  return { passed, failed, skipped }
}

/** What runners print at their end. */
export const outputs: readonly OutputRow[] = [
  {
    runner: 'vitest',
    output: [
      ' ✓ b.test.ts (1 test) 1ms',
      ' Test Files  1 failed | 1 passed (2)',
      '      Tests  1 failed | 2 passed | 1 skipped | 1 todo (5)',
      '   Start at  11:48:20',
    ].join('\n'),
    counts: counts(2, 1, 2),
  },
  {
    runner: 'vitest, in colours',
    output: '\u001B[2m      Tests \u001B[22m \u001B[1m\u001B[32m3 passed\u001B[39m\u001B[22m\u001B[90m (3)\u001B[39m\n',
    counts: counts(3, 0, 0),
  },
  {
    runner: 'vitest, all skipped',
    output: ' Test Files  1 skipped (1)\n      Tests  1 skipped (1)\n',
    counts: counts(0, 0, 1),
  },
  { runner: 'vitest, without files', output: 'No test files found, exiting with code 0\n', counts: counts(0, 0, 0) },
  {
    runner: 'vitest, in two packages',
    output: 'a:test:       Tests  3 passed (3)\nb:test:       Tests  1 failed | 1 passed (2)\n',
    counts: counts(4, 1, 0),
  },
  {
    runner: 'jest',
    output:
      'Test Suites: 1 failed, 1 passed, 2 total\nTests:       1 failed, 2 skipped, 3 passed, 6 total\nSnapshots:   0 total\n',
    counts: counts(3, 1, 2),
  },
  { runner: 'jest, without tests', output: 'No tests found, exiting with code 0\n', counts: counts(0, 0, 0) },
  {
    runner: 'mocha',
    output: '\n\n  3 passing (12ms)\n  1 pending\n  2 failing\n\n  1) sum\n',
    counts: counts(3, 2, 1),
  },
  { runner: 'mocha, without tests', output: '\n\n  0 passing (1ms)\n\n', counts: counts(0, 0, 0) },
  {
    runner: 'node --test',
    output:
      '✔ a (0.4ms)\n✖ b (0.5ms)\nℹ tests 5\nℹ suites 0\nℹ pass 1\nℹ fail 1\nℹ cancelled 1\nℹ skipped 1\nℹ todo 1\nℹ duration_ms 129.1\n',
    counts: counts(1, 2, 2),
  },
  {
    runner: 'node --test, as TAP',
    output:
      'TAP version 13\nok 1 - a\n1..1\n# tests 4\n# suites 0\n# pass 3\n# fail 0\n# cancelled 0\n# skipped 1\n# todo 0\n# duration_ms 65.6\n',
    counts: counts(3, 0, 1),
  },
  {
    runner: 'node --test, without files',
    output:
      'TAP version 13\n1..0\n# tests 0\n# suites 0\n# pass 0\n# fail 0\n# cancelled 0\n# skipped 0\n# todo 0\n# duration_ms 2.2\n',
    counts: counts(0, 0, 0),
  },
  {
    runner: 'pytest',
    output: '==================== 1 failed, 2 passed, 1 skipped, 1 xfailed, 2 warnings in 0.60s ====================\n',
    counts: counts(2, 1, 2),
  },
  { runner: 'pytest -q', output: '..\n2 passed in 0.71s\n', counts: counts(2, 0, 0) },
  { runner: 'pytest, after minutes', output: '=== 2 passed in 75.12s (0:01:15) ===\n', counts: counts(2, 0, 0) },
  { runner: 'pytest, not even loaded', output: '1 error in 0.10s\n', counts: counts(0, 1, 0) },
  { runner: 'pytest, without tests', output: '\nno tests ran in 0.01s\n', counts: counts(0, 0, 0) },
  { runner: 'pytest, all left out', output: '\n3 deselected in 0.39s\n', counts: counts(0, 0, 0) },
  {
    runner: 'unittest',
    output: `${'-'.repeat(70)}\nRan 5 tests in 0.001s\n\nFAILED (failures=1, errors=1, skipped=1)\n`,
    counts: counts(2, 2, 1),
  },
  { runner: 'unittest, all well', output: 'Ran 3 tests in 0.000s\n\nOK\n', counts: counts(3, 0, 0) },
  { runner: 'unittest, without tests', output: 'Ran 0 tests in 0.000s\n\nNO TESTS RAN\n', counts: counts(0, 0, 0) },
  {
    runner: 'cargo test',
    output: [
      'test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.06s',
      '   Doc-tests c',
      'test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s',
    ].join('\n'),
    counts: counts(4, 1, 1),
  },
  {
    runner: 'cargo nextest',
    output: '     Summary [   0.012s] 4 tests run: 3 passed (1 slow), 1 failed, 2 skipped\n',
    counts: counts(3, 1, 2),
  },
  {
    runner: 'go test',
    output:
      'ok  \texample.com/a\t0.002s\nok  \texample.com/b\t(cached)\n?   \texample.com/c\t[no test files]\nFAIL\texample.com/d\t0.003s\nFAIL\n',
    counts: counts(2, 1, 0),
  },
  {
    runner: 'go test, nothing chosen',
    output: 'ok  \texample.com/a\t0.002s [no tests to run]\n',
    counts: counts(0, 0, 0),
  },
  { runner: 'go test, without files', output: '?   \texample.com/a\t[no test files]\n', counts: counts(0, 0, 0) },
  {
    runner: 'go test -v',
    output: [
      '=== RUN   TestA',
      '--- PASS: TestA (0.00s)',
      '    --- PASS: TestA/one (0.00s)',
      '--- SKIP: TestB (0.00s)',
      '--- FAIL: TestC (0.00s)',
      'FAIL\texample.com/a\t0.003s',
    ].join('\n'),
    counts: counts(1, 1, 1),
  },
  {
    runner: 'anything that writes TAP',
    output:
      'TAP version 13\n1..4\nok 1 - a\n    ok 1 - within\nnot ok 2 - b\nok 3 - c # SKIP later\nnot ok 4 - d # TODO\n',
    counts: counts(1, 1, 2),
  },
  { runner: 'a program', output: 'Listening on port 3000. 3 passed by.\n', counts: undefined },
  {
    runner: 'a text about tests',
    output: 'We ran 3 tests and all passed in the end.\nTests are good.\n',
    counts: undefined,
  },
  { runner: 'nothing', output: '', counts: undefined },
]
