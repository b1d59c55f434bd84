import type { KnownTools } from './known-tools.ts'

/** The parsed form of a rule such as `Bash(git log:*)`. */
export type RulePattern =
  /** Every call of these tools. */
  | { readonly kind: 'tools'; readonly tools: readonly string[] }
  | { readonly kind: 'command'; readonly tools: readonly string[]; readonly command: CommandPattern }
  | { readonly kind: 'path'; readonly tools: readonly string[]; readonly path: string }
  /** `*.` in front means every host below, and not the host itself. */
  | { readonly kind: 'host'; readonly tools: readonly string[]; readonly host: string }
  | { readonly kind: 'unreadable'; readonly why: string }

export interface CommandPattern {
  /** `*` matches any text. */
  readonly text: string
  /** More words may follow. */
  readonly open: boolean
}

export function parsePattern(text: string, known: KnownTools): RulePattern {
  const [, name, inside] = /^([A-Za-z_][\w.-]*)(?:\((.*)\))?$/s.exec(text.trim()) ?? []
  if (name === undefined) return { kind: 'unreadable', why: 'a rule is Tool or Tool(pattern)' }
  const tools = toolsCalled(name, known)
  if (inside === undefined) return { kind: 'tools', tools }
  const pattern = inside.trim()
  if (pattern === '') return { kind: 'unreadable', why: `the pattern of ${name} is empty` }
  if (pattern === '*' || pattern === '**') return { kind: 'tools', tools }
  const takes = tools.map((tool) => known.get(tool)?.rule?.takes)
  if (takes.includes('command')) return parseCommand(tools, pattern)
  if (takes.includes('path')) return parsePath(tools, pattern)
  if (takes.includes('host')) return parseHost(tools, pattern)
  return { kind: 'unreadable', why: `${name} takes no pattern; only ${takers(known)} do` }
}

function toolsCalled(name: string, known: KnownTools): readonly string[] {
  const called = [...known.values()].filter(({ rule }) => rule?.names.includes(name)).map((tool) => tool.name)
  return called.length > 0 ? called : [name]
}

/** The names of rules that accept a pattern. */
function takers(known: KnownTools): string {
  const names = new Set([...known.values()].flatMap(({ name, rule }) => (rule ? [rule.names[0] ?? name] : [])))
  return inWords([...names])
}

function inWords(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

function parseCommand(tools: readonly string[], pattern: string): RulePattern {
  const [, prefix] = /^(.*?)(?::\*|\s+\*)$/s.exec(pattern) ?? []
  const text = (prefix ?? pattern).trim()
  if (/^[\s*:]*$/.test(text)) return { kind: 'unreadable', why: 'the pattern names no command' }
  return { kind: 'command', tools, command: { text, open: prefix !== undefined } }
}

/** `docs.example.com`, `*.example.com`, or as other agents write it: `domain:example.com`. */
function parseHost(tools: readonly string[], pattern: string): RulePattern {
  const host = pattern
    .replace(/^domain:/, '')
    .toLowerCase()
    .replace(/\.$/, '')
  const isHost = /^(?:\*\.)?[^\s*/?#@:]+(?::\d+)?$|^\[[0-9a-f:.]+\](?::\d+)?$/.test(host)
  return isHost
    ? { kind: 'host', tools, host }
    : { kind: 'unreadable', why: 'a pattern is a host, such as docs.example.com' }
}

function parsePath(tools: readonly string[], pattern: string): RulePattern {
  if (/\[[[(]?[:.=]/.test(pattern)) return { kind: 'unreadable', why: 'named character classes are not known here' }
  if (/(?:^|\/)\.\.(?:\/|$)/.test(pattern)) return { kind: 'unreadable', why: 'a pattern cannot lead upwards' }
  if (/^(?:~|\.|\/)?\/*$/.test(pattern)) return { kind: 'unreadable', why: 'the pattern names no path' }
  return { kind: 'path', tools, path: pattern }
}
