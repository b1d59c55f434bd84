// Adds up a run: the tests in vitest's report, and every failed step. Prints the line that a reader of CI looks for.
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

const [file, secondFile, ...failedSteps] = process.argv.slice(2)
const report = readReport(file)
// Of a file that was run once more, what it showed then counts.
const again = existsSync(secondFile) ? readReport(secondFile).testResults : []
const isAgain = new Set(again.map(({ name }) => name))
const atFirst = testsOf(report.testResults.filter(({ name }) => isAgain.has(name)))
const tests = testsOf([...report.testResults.filter(({ name }) => !isAgain.has(name)), ...again])
const passed = tests.filter((test) => test.status === 'passed')
const failed = tests.filter((test) => test.status === 'failed')
const skipped = tests.filter((test) => test.status !== 'passed' && test.status !== 'failed')

for (const { name, milliseconds } of slowest(report.testResults, 10)) {
  console.log(`${(milliseconds / 1000).toFixed(1).padStart(7)} s  ${relative(process.cwd(), name)}`)
}
for (const test of atFirst) if (test.status === 'failed') console.log(`failed beside others: ${test.fullName}`)
for (const test of skipped) console.log(`skipped: ${test.fullName}`)
for (const step of failedSteps) console.log(`failed step: ${step}`)
if (tests.length === 0) console.log('no test ran')

// Failed tests stand for their step; a test step that failed otherwise (a file that does not load, say) counts as one.
const otherSteps = failedSteps.filter((step) => step !== 'tests' || failed.length === 0)
const failures = Math.max(otherSteps.length + failed.length, tests.length === 0 ? 1 : 0)
console.log(`${passed.length} passed, ${failures} failed`)
process.exitCode = failures > 0 ? 1 : 0

function testsOf(suites) {
  return suites.flatMap((suite) => suite.assertionResults)
}

/** The files whose tests took longest, from their first test to their last. */
function slowest(files, count) {
  return files
    .map(({ name, startTime, endTime }) => ({ name, milliseconds: endTime - startTime }))
    .sort((one, other) => other.milliseconds - one.milliseconds)
    .slice(0, count)
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    console.log(`no test report: ${error.message}`)
    return { testResults: [] }
  }
}
