import type { PermissionRule } from '@loader/session-core/coding'
import { fullSummary, inputSummary } from './input-summary.ts'
import { type CallFacts, pathsOf } from './permit-call.ts'
import { reachesAsFar } from './reach.ts'
import type { ReadCommand, ShellReading } from './shell/read-shell.ts'
import type { ShellWord } from './shell/shell-word.ts'
import { systemProgram } from './shell/program-name.ts'
import { unwrapped } from './unwrapped.ts'
import { starMatches } from './rules/glob.ts'
import { knownPath, pathMatches } from './rules/path-pattern.ts'
import { type CommandPattern, parsePattern } from './rules/rule-pattern.ts'

/** Whether a rule matches a call. `unsure` if the call hides what it runs. */
export type RuleMatch = 'yes' | 'no' | 'unsure'

/**
 * Whether a rule that denies or asks matches a call. It does if any part of the call matches, in any spelling: such a
 * rule must rather match too much than too little.
 */
export function touches(rule: PermissionRule, facts: CallFacts): RuleMatch {
  const { tool, contains, pathContains, pattern } = rule
  if (tool !== undefined && tool !== facts.name) return 'no'
  if (rule.reach !== undefined && !reachesAsFar(facts.reach, rule.reach)) return 'no'
  if (contains !== undefined && !texts(facts).some((text) => includes(text, contains))) return hiding(facts)
  if (pathContains !== undefined && !pathTexts(facts).some((path) => includes(path, pathContains))) return hiding(facts)
  return pattern === undefined ? 'yes' : touchesPattern(pattern, facts)
}

function touchesPattern(text: string, facts: CallFacts): RuleMatch {
  const pattern = parsePattern(text, facts.tools)
  switch (pattern.kind) {
    case 'unreadable':
      return 'yes'
    case 'tools':
      return pattern.tools.includes(facts.name) ? 'yes' : 'no'
    case 'command':
      if (!pattern.tools.includes(facts.name) || facts.shell === undefined) return 'no'
      return spellings(facts.shell).some((one) => isCommand(pattern.command, one, 'loose')) ? 'yes' : hiding(facts)
    case 'path': {
      const paths = pathsTouched(pattern.tools, facts)
      if (paths === undefined) return 'no'
      const bases = { reading: 'loose', ...(facts.home !== undefined && { home: facts.home }) } as const
      if (paths.some((path) => pathMatches(pattern.path, path, bases))) return 'yes'
      return facts.shell === undefined ? 'no' : hiding(facts)
    }
    case 'host':
      return pattern.tools.includes(facts.name) && facts.hosts.some((host) => hostMatches(pattern.host, host))
        ? 'yes'
        : 'no'
    default:
      return pattern satisfies never
  }
}

/** The paths to compare with a rule for these tools; undefined if the call is of none of them. */
function pathsTouched(tools: readonly string[], facts: CallFacts) {
  const { name, shell, root, tools: known } = facts
  const looks = tools.some((tool) => known.get(tool)?.rule?.names.includes(reading))
  if (shell !== undefined) {
    const changes = facts.effect !== 'probe'
    return looks || changes ? namedPaths(shell.reading).map((path) => knownPath(path, root)) : undefined
  }
  const own = known.get(name)
  const isLook = own?.rule?.takes === 'path' && own.effect === 'probe'
  return tools.includes(name) || (looks && isLook) ? pathsOf(facts) : undefined
}

/** Rules of this name that deny or ask apply to every tool with paths, and to commands. */
const reading = 'Read'

function hiding({ shell }: CallFacts): RuleMatch {
  return shell?.reading.hides === undefined ? 'no' : 'unsure'
}

/** Whether a rule that allows covers the whole of a call that runs no command. */
export function ruleCovers(rule: PermissionRule, facts: CallFacts): boolean {
  const { tool, contains, pathContains, pattern } = rule
  if (tool === undefined && contains === undefined && pathContains === undefined && pattern === undefined) return false
  if (tool !== undefined && tool !== facts.name) return false
  if (isOutdated(rule, facts)) return false
  if (contains !== undefined && !inputSummary(facts.name, facts.input).includes(contains)) return false
  const paths = facts.paths.map(({ path }) => knownPath(path, facts.root))
  if (pathContains !== undefined && !(paths.length > 0 && paths.every((path) => named(path).includes(pathContains)))) {
    return false
  }
  const away = facts.paths.some(({ inside }) => !inside)
  if (pattern === undefined) return !changesAway(facts, away) || contains !== undefined || pathContains !== undefined
  const read = parsePattern(pattern, facts.tools)
  switch (read.kind) {
    case 'tools':
      return read.tools.includes(facts.name) && (!changesAway(facts, away) || pathContains !== undefined)
    case 'path': {
      const bases = { reading: 'strict', ...(facts.home !== undefined && { home: facts.home }) } as const
      return (
        read.tools.includes(facts.name) &&
        paths.length > 0 &&
        paths.every((path) => pathMatches(read.path, path, bases))
      )
    }
    case 'host':
      return (
        read.tools.includes(facts.name) &&
        facts.hosts.length > 0 &&
        facts.hosts.every((host) => hostMatches(read.host, host))
      )
    case 'command':
    case 'unreadable':
      return false
    default:
      return read satisfies never
  }
}

/** Whether the rule was given for this tool, and what the tool says of itself has changed since. */
export function isOutdated({ permit, tool, definition }: PermissionRule, { name, tools }: CallFacts): boolean {
  if (permit !== 'allow' || definition === undefined || tool !== name) return false
  return tools.get(name)?.definition !== definition
}

function hostMatches(pattern: string, host: string): boolean {
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern
}

/** A change outside the workspace needs a rule that names the place. */
function changesAway({ effect }: CallFacts, away: boolean): boolean {
  return away && effect === 'write'
}

const named = ({ relative, absolute }: { readonly relative?: string; readonly absolute?: string }): string =>
  absolute ?? relative ?? ''

/** Whether a rule that allows covers a command line as a whole: all of `bash`, or exactly this line. */
export function coversLine(rule: PermissionRule, { name, shell, reach, tools }: CallFacts): boolean {
  const { tool, contains, pathContains, pattern } = rule
  if (shell === undefined || contains !== undefined || pathContains !== undefined) return false
  if (!reachesAsFar(rule.reach ?? usualReach, reach)) return false
  if (tool !== undefined && tool !== name) return false
  if (pattern === undefined) return tool !== undefined
  const read = parsePattern(pattern, tools)
  if (read.kind === 'tools') return read.tools.includes(name)
  if (read.kind !== 'command' || read.command.open || !read.tools.includes(name)) return false
  return !/(?<!\\)\*/.test(read.command.text) && starMatches(read.command.text, shell.command.trim())
}

/** The reach that a rule grants to a command if it names none. */
const usualReach = 'work'

/** Whether a rule that allows covers one command of a line, including its arguments. */
export function coversCommand(rule: PermissionRule, command: ReadCommand, { name, reach, tools }: CallFacts): boolean {
  const { tool, contains, pathContains, pattern } = rule
  if (!reachesAsFar(rule.reach ?? usualReach, reach)) return false
  if (tool !== undefined && tool !== name) return false
  if (pathContains !== undefined || (contains === undefined && pattern === undefined)) return false
  const written = asWritten(command)
  if (written === undefined) return false
  if (contains !== undefined && !inputSummary(name, { command: written }).includes(contains)) return false
  if (pattern === undefined) return true
  const read = parsePattern(pattern, tools)
  if (read.kind === 'tools') return read.tools.includes(name)
  return read.kind === 'command' && read.tools.includes(name) && isCommand(read.command, written, 'strict')
}

function isCommand({ text, open }: CommandPattern, command: string, reading: 'strict' | 'loose'): boolean {
  const pattern = reading === 'loose' ? text.replace(/\s+/g, ' ').toLowerCase() : text
  return starMatches(pattern, command) || (open && starMatches(`${pattern} *`, command))
}

/** A command in one normal spelling, which differs for any two different commands. */
function asWritten({ words }: ReadCommand): string | undefined {
  const [name, ...args] = unwrapped(words)
  if (name?.kind !== 'fixed' || !plain.test(name.value)) return undefined
  return [systemProgram(name.value), ...args.map(plainWord)].join(' ')
}

/** Words that need no quotes. */
const plain = /^[\w@%+=:,./~^-]+$/

function plainWord({ kind, value, text }: ShellWord): string {
  if (kind !== 'fixed') return text
  return plain.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`
}

/** Every spelling by which a rule could mean the commands of a line, in lower case. */
function spellings({ command, reading }: NonNullable<CallFacts['shell']>): string[] {
  const found = new Set([command.trim()])
  for (const one of reading.commands) {
    const values = one.words.map(({ value }) => value)
    const name = values[0]?.replace(/^.*[\\/]/, '') ?? ''
    found.add(one.text).add(values.join(' '))
    found.add([name, ...values.slice(1)].join(' '))
    // `git -C folder push` must match rules for `git push`.
    for (let from = 1; from < Math.min(values.length, mostOptions); from++) {
      if (!(values[1] ?? '').startsWith('-')) break
      found.add([name, ...values.slice(from + 1)].join(' '))
    }
  }
  return [...found].map((text) => text.replace(/\s+/g, ' ').trim().toLowerCase())
}

const mostOptions = 12

/** The words of a line that can be paths, including values of options, also relative to another folder. */
function namedPaths({ commands, words }: ShellReading): string[] {
  const all = [...commands.flatMap((command) => [...command.words]), ...words]
  const paths = all.flatMap(({ value: word }) => {
    const value = word.replace(/^file:\/\//i, '')
    const equals = value.indexOf('=')
    return equals === -1 ? [value] : [value, value.slice(equals + 1)]
  })
  const folders = commands.flatMap(({ words: [name, folder] }) =>
    folder !== undefined && /^(?:cd|pushd)$/.test(name?.value ?? '') ? [folder.value] : [],
  )
  const fromThere = folders
    .slice(0, mostFolders)
    .flatMap((folder) => paths.filter((path) => /^[^/~-]/.test(path)).map((path) => `${folder}/${path}`))
  return [...paths, ...fromThere]
}

const mostFolders = 8

function texts({ name, input, shell }: CallFacts): string[] {
  const commands = shell === undefined ? [] : spellings(shell).map((text) => `${name} command=${text}`)
  return [fullSummary(name, input), ...commands]
}

function pathTexts(facts: CallFacts): string[] {
  const words = facts.shell === undefined ? [] : namedPaths(facts.shell.reading)
  return [...pathsOf(facts).flatMap(({ absolute, relative }) => [absolute ?? '', relative ?? '']), ...words]
}

function includes(text: string, wanted: string): boolean {
  return text.toLowerCase().includes(wanted.replace(/\s+/g, ' ').toLowerCase())
}
