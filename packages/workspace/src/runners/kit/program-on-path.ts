/**
 * Replaces programs on the PATH that have no other way to be made to report: it starts the real program with the same
 * arguments and those that reports need. `node` is included because a script may overwrite the variables that we set.
 */
export const programs = ['cargo', 'go', 'node'] as const

export const programOnPath = String.raw`'use strict'
const { basename, delimiter, dirname, join } = require('node:path')
const { accessSync, constants, existsSync } = require('node:fs')
const { spawn } = require('node:child_process')
const { settings, leave, open } = require('./channel.cjs')

const [name, ...given] = process.argv.slice(2)
const program = (process.env.PATH ?? '').split(delimiter).filter((it) => it !== settings?.bin).map((it) => join(it, name)).find(isProgram)

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function goTest() {
  const words = given.slice(1)
  const canary = settings.canary === undefined ? [] : ['-run=^' + settings.canary.mark + '$']
  return ['test', '-json', ...words.slice(0, before(words, '-args')).filter((it) => it !== '-json'), ...canary, ...words.slice(before(words, '-args'))]
}

function before(words, end) {
  const at = words.findIndex((it) => it === end || it === '-' + end)
  return at === -1 ? words.length : at
}

const switches = /^(--(workspace|all|lib|bins|tests|examples|benches|all-targets|doc|no-run|no-fail-fast|release|all-features|no-default-features|frozen|locked|offline|quiet|verbose|ignore-rust-version|keep-going)|-[rqv]+|test|t|\+.*)$/

function cargoTest() {
  const end = given.indexOf('--')
  // What is left out when it is quiet are the names.
  const isLoud = (it) => !/^(-q|--quiet|--format(=.*)?|terse)$/.test(it)
  const own = (end === -1 ? given : given.slice(0, end)).filter(isLoud)
  const rest = (end === -1 ? [] : given.slice(end)).filter(isLoud)
  const all = own.includes('--no-fail-fast') ? [] : ['--no-fail-fast']
  if (settings.canary === undefined) return [...own, ...all, ...rest]
  // A word that follows no option is a filter of names, which the canary would not pass.
  const kept = own.filter((it, index) => switches.test(it) || it.startsWith('-') || (own[index - 1]?.startsWith('-') && !switches.test(own[index - 1])))
  return [...kept, ...all, ...settings.canary.paths.flatMap(targetOf)]
}

/** The tests of a file in tests/ are a program of that name; those beside the product are in its own. */
function targetOf(path) {
  const [, name] = /(?:^|[\\/])tests[\\/]([^\\/]+?)(?:[\\/]main)?\.rs$/.exec(path) ?? []
  return name === undefined ? [existsSync('src/lib.rs') ? '--lib' : '--bins'] : ['--test', name]
}

if (program === undefined) {
  console.error(name + ': not found')
  process.exitCode = 127
} else begin(program)

function begin(real) {
  const [word] = given.filter((it) => !it.startsWith('+'))
  const isTest = settings !== undefined && ((name === 'go' && word === 'test') || (name === 'cargo' && (word === 'test' || word === 't')))
  if (!isTest) return run(real, given, process.env)
  const runner = name + ' test'
  const { canary } = settings
  if (canary !== undefined && (canary.runner !== runner || canary.cwd !== process.cwd())) return
  const report = open({ runner, arguments: given })
  const variables = { ...process.env }
  leave(variables)
  run(real, name === 'go' ? goTest() : cargoTest(), variables, report)
}

function run(real, args, env, report) {
  const child = spawn(real, args, { env, stdio: ['inherit', report === undefined ? 'inherit' : 'pipe', report === undefined ? 'inherit' : 'pipe'] })
  if (report !== undefined) {
    tee(child.stdout, process.stdout, (line) => report.write({ raw: line }), name === 'go')
    tee(child.stderr, process.stderr, (line) => report.write({ complaint: line }), false)
  }
  child.on('close', (code, signal) => {
    report?.write({ end: {} })
    report?.write({ exit: code ?? undefined })
    if (signal !== null) process.kill(process.pid, signal)
    else process.exitCode = code
  })
}

/** Go's events are for the report, their text is for people. */
function tee(from, to, take, isEvents) {
  let rest = ''
  from.setEncoding('utf8')
  from.on('data', (text) => {
    if (!isEvents) to.write(text)
    const lines = (rest + text).split('\n')
    rest = lines.pop()
    for (const line of lines) take(line)
    if (isEvents) for (const line of lines) to.write(textOf(line))
  })
  from.on('end', () => {
    if (rest !== '') take(rest)
    if (rest !== '' && isEvents) to.write(textOf(rest))
  })
}

function textOf(line) {
  try {
    return JSON.parse(line).Output ?? ''
  } catch {
    return line + '\n'
  }
}
`

/** When a script has overwritten our variables, the real Node gets them as arguments. */
export const nodeOnPath = String.raw`#!/bin/sh
here=$(dirname "$0")
rest=
IFS=:
for folder in $PATH; do
  if [ "$folder" != "$here" ] && [ -x "$folder/node" ]; then rest=$folder/node; break; fi
done
unset IFS
[ -n "$rest" ] || { echo 'node: not found' >&2; exit 127; }
case " $NODE_OPTIONS " in
  *preload.cjs*) exec "$rest" "$@" ;;
esac
[ -n "$LOADER_RUNNERS" ] || exec "$rest" "$@"
exec "$rest" --require "$here/../preload.cjs" "$@"
`
