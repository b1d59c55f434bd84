/**
 * The parts of the kit that run inside of Node write a report through this channel.
 *
 * 1. A part takes everything it needs before the first line of the project runs: Node functions that tests may replace,
 *    the variables, the open report.
 * 2. `leave` removes the kit from the variables before tests start, so that they and the programs that they start
 *    neither report nor learn where the reports are.
 * 3. A report without an `end` line was cut short: only the runner's own last call writes one.
 */
export const channel = String.raw`'use strict'
const { openSync, writeSync } = require('node:fs')
const { join } = require('node:path')
const { randomBytes } = require('node:crypto')
const stringify = JSON.stringify
const given = process.env.LOADER_RUNNERS
const settings = given === undefined ? undefined : JSON.parse(given)

function leave(variables = process.env) {
  delete variables.LOADER_RUNNERS
  for (const { name, piece, separator } of settings?.pieces ?? []) {
    const rest = (variables[name] ?? '').split(piece).join('').split(separator).filter((it) => it !== '').join(separator)
    if (rest === '') delete variables[name]
    else variables[name] = rest
  }
}

function open(start) {
  const silent = { descriptor: -1, write() {} }
  if (settings === undefined) return silent
  const descriptor = openSync(join(settings.reports, process.pid + '-' + randomBytes(8).toString('hex') + '.jsonl'), 'ax')
  const report = { descriptor, write: (line) => void writeSync(descriptor, stringify(line) + '\n') }
  report.write({ start: { cwd: process.cwd(), ...start } })
  return report
}

/** That a test cannot be run because something is missing, wherever it asks for it. */
function cannotLoad(error) {
  for (let at = error, depth = 0; at && typeof at === 'object' && depth < 8; at = at.cause, depth += 1) {
    if (/^(ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND|ERR_UNSUPPORTED_DIR_IMPORT|ERR_PACKAGE_PATH_NOT_EXPORTED)$/.test(at.code)) return true
  }
  return false
}

/** Others set the code when the process exits, after this was loaded: then ours must be the last to look. */
function tellExit(report) {
  const tell = (code) => report.write({ exit: Number(process.exitCode ?? code) })
  process.on('exit', tell)
  process.once('beforeExit', () => {
    process.off('exit', tell)
    process.on('exit', tell)
  })
}

module.exports = { settings, leave, open, cannotLoad, tellExit }
`
