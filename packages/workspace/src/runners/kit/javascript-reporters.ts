/** The reporters of ours that vitest, jest, mocha and node:test load: one line for each test, in the words of `report-lines.ts`. */
export const javascriptReporters = {
  'node-test.mjs': String.raw`
import { createRequire } from 'node:module'
import { writeSync } from 'node:fs'
import { resolve } from 'node:path'
const { cannotLoad } = createRequire(import.meta.url)('./channel.cjs')
const stringify = JSON.stringify
const descriptor = Number(process.env.LOADER_RUNNERS_DESCRIPTOR)
delete process.env.LOADER_RUNNERS_DESCRIPTOR
const write = (line) => void writeSync(descriptor, stringify(line) + '\n')

function outcomeOf(type, { details, skip, todo }) {
  if (skip !== undefined || todo !== undefined) return 'skipped'
  if (type === 'test:pass') return 'green'
  const { error } = details
  if (/^(hookFailed|cancelledByParent|testAborted)$/.test(error?.failureType)) return 'load'
  return cannotLoad(error) ? 'load' : 'assertion'
}

export default async function* report(events) {
  const above = []
  for await (const { type, data } of events) {
    if (type === 'test:start') above[data.nesting] = data.name
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const { nesting, name, file, details } = data
    const isFile = nesting === 0 && file !== undefined && resolve(name) === resolve(file)
    if (isFile) {
      write({ file: resolve(file) })
      if (type === 'test:fail' && details.error?.failureType !== 'subtestsFailed') write({ test: { path: [], file: resolve(file), outcome: 'load' } })
    } else if (details.type !== 'suite' || details.error?.failureType === 'hookFailed') {
      write({ test: { path: [...above.slice(0, nesting), name], file: file && resolve(file), outcome: outcomeOf(type, data) } })
    }
  }
  write({ end: {} })
}
`,
  'vitest.mjs': String.raw`
import { createRequire } from 'node:module'
const { open, leave, cannotLoad, tellExit } = createRequire(import.meta.url)('./channel.cjs')
const report = open({ runner: 'vitest', arguments: JSON.parse(process.env.LOADER_RUNNERS_GIVEN ?? '[]') })
leave()
delete process.env.LOADER_RUNNERS_GIVEN
tellExit(report)
const real = (id) => id.split('?')[0]
const stateOf = (task) => (task.mode === 'skip' || task.mode === 'todo' ? 'skipped' : (task.result?.state ?? 'skipped'))

export default class LoaderReporter {
  #isDone = false

  onInit(vitest) {
    const projects = vitest.projects ?? []
    for (const { config, vite } of [{ config: vitest.config, vite: vitest.vite ?? vitest.server }, ...projects]) {
      const server = vite?.config ?? {}
      const files = [server.configFile, ...(server.configFileDependencies ?? []), ...[config?.setupFiles, config?.globalSetup].flat()]
      for (const file of files) if (typeof file === 'string' && file !== '') report.write({ setting: file })
      for (const pattern of config?.include ?? []) report.write({ pattern })
    }
  }

  onTestRunEnd(modules, errors) {
    this.#done(modules.map((it) => it.task), errors)
  }

  onFinished(files = [], errors = []) {
    this.#done(files, errors)
  }

  #done(files, errors) {
    if (this.#isDone) return
    this.#isDone = true
    for (const file of files) {
      const path = real(file.filepath)
      const project = file.projectName ? [file.projectName] : []
      report.write({ file: path })
      const walk = (tasks, above, isBroken) => {
        for (const task of tasks) {
          const own = [...above, task.name]
          const errors = task.result?.errors ?? []
          if (task.type === 'suite') {
            walk(task.tasks, own, isBroken || (task.result?.state === 'fail' && errors.length > 0))
            continue
          }
          const state = stateOf(task)
          const failed = errors.some(cannotLoad) ? 'load' : 'assertion'
          const outcome = state === 'pass' ? 'green' : state === 'fail' ? failed : isBroken || state === 'run' || state === 'queue' ? 'load' : 'skipped'
          report.write({ test: { path: [...project, ...own], file: path, outcome } })
        }
      }
      const isBroken = file.result?.state === 'fail' && (file.result.errors ?? []).length > 0
      if (isBroken) report.write({ test: { path: project, file: path, outcome: 'load' } })
      walk(file.tasks, [], isBroken)
    }
    if (errors.length > 0) report.write({ test: { path: ['(outside of tests)'], outcome: 'load' } })
    report.write({ end: {} })
  }
}
`,
  'jest.cjs': String.raw`'use strict'
const { open, leave, cannotLoad, tellExit } = require('./channel.cjs')
const report = open({ runner: 'jest', arguments: JSON.parse(process.env.LOADER_RUNNERS_GIVEN ?? '[]') })
leave()
delete process.env.LOADER_RUNNERS_GIVEN
tellExit(report)

function outcomeOf({ status, failureDetails = [], failureMessages = [] }) {
  if (status === 'passed') return 'green'
  if (status !== 'failed') return 'skipped'
  const isMissing = failureDetails.some(cannotLoad) || failureMessages.some((it) => /^(Error: )?Cannot find (module|package) /.test(it))
  return isMissing ? 'load' : 'assertion'
}

module.exports = class LoaderReporter {
  onTestResult({ context, path }, { testResults, testExecError, failureMessage, displayName }) {
    const project = displayName?.name ? [displayName.name] : []
    const { config } = context
    report.write({ file: path })
    for (const one of [config.testMatch, config.testRegex].flat()) report.write({ pattern: String(one) })
    const named = [config.setupFiles, config.setupFilesAfterEnv, config.globalSetup, config.globalTeardown, config.snapshotSerializers, config.resolver, config.runner, config.testEnvironment, (config.transform ?? []).map((it) => it[1])]
    for (const file of named.flat(2)) if (typeof file === 'string') report.write({ setting: file })
    if (testExecError != null || (failureMessage != null && testResults.length === 0)) report.write({ test: { path: project, file: path, outcome: 'load' } })
    for (const one of testResults) {
      report.write({ test: { path: [...project, ...one.ancestorTitles, one.title], file: path, outcome: outcomeOf(one) } })
    }
  }

  onRunComplete(_contexts, { numTotalTests, wasInterrupted }) {
    report.write({ counts: { all: numTotalTests } })
    if (wasInterrupted !== true) report.write({ end: {} })
  }
}
`,
  'mocha.cjs': String.raw`'use strict'
const { open, leave, cannotLoad, tellExit } = require('./channel.cjs')
const { dirname, join } = require('node:path')
const given = JSON.parse(process.env.LOADER_RUNNERS_GIVEN ?? '[]')
const report = open({ runner: 'mocha', arguments: given })
leave()
delete process.env.LOADER_RUNNERS_GIVEN
tellExit(report)
const { reporters } = require(join(dirname(require('node:fs').realpathSync(process.argv[1])), '..'))

function usual() {
  const at = given.findIndex((it) => /^(-R|--reporter)(=|$)/.test(it))
  const name = at === -1 ? 'spec' : (given[at].split('=')[1] ?? given[at + 1])
  return Object.hasOwn(reporters, name) ? reporters[name] : reporters.spec
}

module.exports = class LoaderReporter {
  constructor(runner, options) {
    const Usual = usual()
    this.usual = new Usual(runner, options)
    const seen = new Set()
    const broken = new Set()
    const told = (test, outcome) => {
      seen.add(test)
      report.write({ test: { path: test.titlePath(), file: test.file, outcome } })
    }
    const open = []
    const walk = (suite) => {
      for (const test of suite.tests) open.push(test)
      for (const one of suite.suites) walk(one)
    }
    // Whatever grep and "only" leave out is never mentioned again.
    walk(runner.suite)
    for (const test of open) if (test.file) report.write({ file: test.file })
    const { reporterOption: _, ...rest } = options ?? {}
    for (const one of [rest.config, rest.package, rest.require, rest.opts].flat()) if (typeof one === 'string') report.write({ setting: one })
    for (const one of [rest.spec].flat()) if (typeof one === 'string') report.write({ pattern: one })
    runner.on('pass', (test) => told(test, 'green'))
    runner.on('pending', (test) => told(test, 'skipped'))
    runner.on('fail', (test, error) => {
      if (test.type !== 'hook') return told(test, cannotLoad(error) ? 'load' : 'assertion')
      const current = test.ctx?.currentTest
      if (/^"before each"/.test(test.title) && current) told(current, 'load')
      broken.add(test.parent)
      if (/^"after/.test(test.title)) report.write({ test: { path: test.titlePath(), file: test.file, outcome: 'load' } })
    })
    runner.once('end', () => {
      for (const test of open) {
        if (seen.has(test)) continue
        let isBroken = false
        for (let at = test.parent; at; at = at.parent) isBroken ||= broken.has(at)
        told(test, isBroken ? 'load' : 'skipped')
      }
      report.write({ end: {} })
    })
  }

  done(failures, finish) {
    return this.usual.done ? this.usual.done(failures, finish) : finish(failures)
  }
}
`,
}
