import type { PermissionRule } from '@loader/session-core/coding'
import { looksAlone } from './looks.ts'
import { type CallFacts, callFacts, type PermissionCall } from './permit-call.ts'
import { type KnownTools, usualTools } from './rules/known-tools.ts'
import type { ReadCommand } from './shell/read-shell.ts'
import { startedBy } from './shell/started-by.ts'

/** What a rule holds for: this very call, or calls of its kind, if it has one. */
export type Extent = 'call' | 'kind'

/**
 * The rule that is added if an answer is to hold for later calls. Allowing a command allows its kind, such as `npm
 * install` with any packages, at the reach that was asked for, unless only this very call is meant. Everything else
 * holds for exactly this command, this path or, without either, this tool.
 */
export function ruleFor(
  call: PermissionCall,
  permit: 'allow' | 'deny',
  tools: KnownTools = usualTools,
  extent: Extent = 'kind',
): PermissionRule {
  const facts = callFacts(call, {}, tools)
  const { name, shell, paths, hosts, reach } = facts
  const known = tools.get(name)?.rule
  if (shell !== undefined) {
    const kind = permit === 'allow' && extent === 'kind' ? kindOf(facts) : undefined
    const inside = kind === undefined ? literal(shell.command.trim(), /[\\*]/g) : `${kind}:*`
    const pattern = `${known?.names[0] ?? 'Bash'}(${inside})`
    return { permit, pattern, ...(permit === 'allow' && { reach }) }
  }
  const [host] = hosts
  if (host !== undefined && known?.takes === 'host') {
    return { permit, pattern: `${known.names[0] ?? name}(${host})`, ...(permit === 'allow' && { reach }) }
  }
  const [first] = paths
  if (first === undefined || known?.takes !== 'path') {
    const definition = permit === 'allow' ? tools.get(name)?.definition : undefined
    return { permit, tool: name, ...(definition !== undefined && { definition }) }
  }
  const path = first.path.replaceAll('\\', '/')
  return { permit, pattern: `${name}(${path.startsWith('/') ? '/' : './'}${literal(path, /[*?[\]]/g)})` }
}

/**
 * Program and subcommand of the only command of a line that is not read-only. A program without subcommands has no
 * kind, because its arguments can be anything.
 */
function kindOf({ shell }: CallFacts): string | undefined {
  if (shell === undefined) return undefined
  const { commands, sets, computes, hides } = shell.reading
  if (computes) return undefined
  const [only, ...others] = commands.filter((command) => command.isCandidate !== true && !looksAlone(command))
  if (only === undefined || others.length > 0 || hides !== undefined || sets.length > 0) return undefined
  return prefixOf(only)
}

function prefixOf({ words }: ReadCommand): string | undefined {
  const [program, subcommand, script] = words.map(({ kind, value }) => (kind === 'fixed' ? value : ''))
  if (!isName(program) || !isName(subcommand) || startsAnything(words)) return undefined
  if (subcommand !== 'run') return `${program} ${subcommand}`
  return isName(script) ? `${program} run ${script}` : undefined
}

function isName(word: string | undefined): word is string {
  return word !== undefined && /^[a-zA-Z][\w:-]*$/.test(word)
}

function startsAnything(words: ReadCommand['words']): boolean {
  const { commands, scripts, hides } = startedBy(words, undefined)
  return commands.length + scripts.length > 0 || hides !== undefined
}

/** Escapes the characters that have a meaning in patterns. */
function literal(text: string, special: RegExp): string {
  return text.replace(special, String.raw`\$&`)
}
