/**
 * Runs first in every Node process of a check. It looks at the program that Node was started with, not at the command
 * that led there, so scripts, makefiles and task runners need not be understood. Other programs are unaffected.
 */
export const preload = String.raw`'use strict'
const { isMainThread } = require('node:worker_threads')
const { settings, leave, open } = require('./channel.cjs')
if (settings !== undefined && isMainThread) begin()

function begin() {
  const { join } = require('node:path')
  const at = process.execArgv.findIndex((it, index) => it === '--require' && process.execArgv[index + 1] === __filename)
  if (at !== -1) process.execArgv.splice(at, 2)
  const runner = runnerOf()
  if (runner === undefined) return
  const { canary } = settings
  if (canary !== undefined && (canary.runner !== runner || canary.cwd !== process.cwd())) process.exit(0)
  const given = process.argv.slice(2)
  const has = (...names) => given.some((it) => names.some((name) => it === name || it.startsWith(name + '=')))
  switch (runner) {
    case 'node:test':
      return nodeTest(join(__dirname, 'node-test.mjs'))
    case 'vitest':
      if (/^(bench|list|init|complete)$/.test(given[0])) return
      remember(given)
      if (canary !== undefined) alone({ stops: /^(-t|--testNamePattern|--bail|--shard)$/, options: ['--bail=0'], byName: '--testNamePattern=', command: /^(run|watch|dev|related)$/ })
      // Ours first: another one that fails must not keep it from telling.
      return add('--reporter=' + join(__dirname, 'vitest.mjs'), ...(has('--reporter') ? [] : ['--reporter=default']))
    case 'jest':
      remember(given)
      if (canary !== undefined) alone({ stops: /^(-t|--testNamePattern|-b|--bail|-f|--onlyFailures|--shard)$/, options: ['--bail=0'], byName: '--testNamePattern=' })
      return add(...(has('--reporters') ? [] : ['--reporters=default']), '--reporters=' + join(__dirname, 'jest.cjs'))
    case 'mocha':
      remember(given)
      if (canary !== undefined) alone({ stops: /^(-b|--bail|-[gfi]|--f?grep|--invert)$/, options: ['--no-bail'], byName: '--fgrep=' })
      return add('--reporter=' + join(__dirname, 'mocha.cjs'))
    case 'tsc':
      if (has('--watch', '-w', '--version', '-v', '--help', '-h', '--init', '--showConfig')) return
      return again({ runner, arguments: given }, [...process.execArgv, process.argv[1], ...given, '--pretty', 'false'], 'out')
    case 'eslint':
      if (has('--version', '-v', '--help', '-h', '--init', '--print-config', '--inspect-config', '--env-info')) return
      return eslint(given)
  }
}

function runnerOf() {
  if (process.execArgv.includes('--test')) return 'node:test'
  const program = process.argv[1]
  if (program === undefined) return undefined
  const { realpathSync, readFileSync } = require('node:fs')
  const { dirname, join } = require('node:path')
  try {
    for (let folder = dirname(realpathSync(program)); folder !== dirname(folder); folder = dirname(folder)) {
      let text
      try {
        text = readFileSync(join(folder, 'package.json'), 'utf8')
      } catch (error) {
        if (error.code === 'ENOENT' || error.code === 'ENOTDIR') continue
        throw error
      }
      const { name } = JSON.parse(text)
      const isTsc = /[\\/](_?tsc)(\.js)?$/.test(program)
      if (name === 'typescript' || name === '@typescript/native-preview') return isTsc ? 'tsc' : undefined
      const runner = { vitest: 'vitest', jest: 'jest', 'jest-cli': 'jest', mocha: 'mocha', eslint: 'eslint' }[name]
      if (name !== undefined) return runner
    }
  } catch {
    // A program that cannot be looked at is none that we know.
  }
  return undefined
}

/** The reporter, which is loaded later, says what the check had given. */
function remember(given) {
  process.env.LOADER_RUNNERS_GIVEN = JSON.stringify(given)
}

/** In front of what comes behind "--". */
function add(...options) {
  const end = process.argv.indexOf('--', 2)
  process.argv.splice(end === -1 ? process.argv.length : end, 0, ...options)
}

/**
 * Only the files of the canary run, up to their end. A word behind an option may be its value and stays; then more runs
 * than has to, no less.
 */
function alone({ stops, options, byName, command }) {
  const { canary } = settings
  const given = process.argv.slice(2)
  const isStop = (it = '') => stops.test(it.split('=')[0])
  const isValue = (index) => /^--?[^=]+$/.test(given[index - 1] ?? '') && !isStop(given[index - 1])
  const kept = given.filter((it, index) => (it.startsWith('-') ? !isStop(it) && it !== '--' : (index === 0 && command?.test(it)) || isValue(index)))
  const own = canary.isAmong ? [] : [byName + canary.mark]
  process.argv.splice(2, given.length, ...kept, ...options, ...own, ...canary.paths)
}

function nodeTest(reporter) {
  const execution = settings.canary === undefined ? process.execArgv : unselected(process.execArgv)
  const named = (option) => execution.filter((it) => it === option || it.startsWith(option + '=')).length
  const [reporters, places] = [named('--test-reporter'), named('--test-reporter-destination')]
  const usual = reporters === 0 ? ['--test-reporter=spec'] : []
  const where = reporters - places === 1 || reporters === 0 ? ['--test-reporter-destination=stdout'] : []
  const own = ['--test-reporter=' + require('node:url').pathToFileURL(reporter), '--test-reporter-destination=stderr']
  const files = settings.canary === undefined ? process.argv.slice(1) : settings.canary.paths
  again({ runner: 'node:test', arguments: process.argv.slice(1), patterns: process.argv.slice(1) }, [...execution, ...usual, ...where, ...own, ...files], 'descriptor')
}

/** What selects tests by their names would leave the canary out. */
function unselected(given) {
  const selects = /^--test-(name-pattern|skip-pattern|only|shard)$/
  const isSelecting = (it = '') => selects.test(it.split('=')[0])
  return given.filter((it, index) => !isSelecting(it) && (it.startsWith('-') || !isSelecting(given[index - 1])))
}

function eslint(given) {
  const { mkdtempSync, readFileSync, rmSync } = require('node:fs')
  const { join } = require('node:path')
  const folder = mkdtempSync(join(settings.reports, 'eslint-'))
  const file = join(folder, 'report.json')
  const isOwn = given.some((it) => /^(-f|--format|-o|--output-file)(=|$)/.test(it))
  // Those of the user go into a place of their own; they are for people.
  const options = isOwn ? given.filter((it, index) => !/^(-f|--format|-o|--output-file)/.test(it) && !/^(-f|--format|-o|--output-file)$/.test(given[index - 1] ?? '')) : given
  again({ runner: 'eslint', arguments: given }, [...process.execArgv, process.argv[1], ...options, '--format=json', '--output-file=' + file], 'none', (report) => {
    try {
      const text = readFileSync(file, 'utf8')
      report.write({ raw: text })
      for (const { filePath, messages } of JSON.parse(text)) {
        for (const { line, column, severity, ruleId, message } of messages) {
          console.log([filePath, line, column].join(':') + ' ' + (severity === 2 ? 'error' : 'warning') + ' ' + message + ' (' + ruleId + ')')
        }
      }
    } catch (error) {
      if (error.code !== 'ENOENT') throw error
    }
    rmSync(folder, { recursive: true, force: true })
  })
}

/** Runs this program once more, with what a report needs, and ends as it does. */
function again(start, args, channel, last = () => {}) {
  const { spawnSync } = require('node:child_process')
  const report = open(start)
  const variables = { ...process.env }
  leave(variables)
  if (channel === 'descriptor') variables.LOADER_RUNNERS_DESCRIPTOR = '3'
  const stdio = ['inherit', channel === 'out' ? 'pipe' : 'inherit', 'inherit', ...(channel === 'descriptor' ? [report.descriptor] : [])]
  const { status, signal, stdout, error } = spawnSync(process.execPath, args, { env: variables, stdio, maxBuffer: Infinity })
  if (error !== undefined) throw error
  if (stdout !== null) {
    require('node:fs').writeSync(1, stdout)
    for (const line of stdout.toString('utf8').split('\n')) report.write({ raw: line })
  }
  last(report)
  if (channel !== 'descriptor') report.write({ end: {} })
  report.write({ exit: status ?? undefined })
  if (signal !== null) process.kill(process.pid, signal)
  process.exit(status ?? 1)
}
`
