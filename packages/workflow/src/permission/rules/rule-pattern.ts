/** What a rule such as `Bash(git log:*)` says, once it is read. */
export type RulePattern =
  /** Whatever these tools do. */
  | { readonly kind: 'tools'; readonly tools: readonly string[] }
  | { readonly kind: 'command'; readonly tools: readonly string[]; readonly command: CommandPattern }
  | { readonly kind: 'path'; readonly tools: readonly string[]; readonly path: string }
  | { readonly kind: 'unreadable'; readonly why: string }

export interface CommandPattern {
  /** With `*` for anything. */
  readonly text: string
  /** More words may follow. */
  readonly open: boolean
}

/** Names that people know from elsewhere, and our tools. */
const knownNames: ReadonlyMap<string, readonly string[]> = new Map([
  ['Bash', ['bash']],
  ['Read', ['read']],
  ['Edit', ['edit', 'write', 'patch']],
  ['MultiEdit', ['edit', 'patch']],
  ['Write', ['write']],
  ['Glob', ['glob']],
  ['Grep', ['grep']],
])

const pathTools = new Set(['read', 'edit', 'write', 'patch', 'glob', 'grep'])

export function parsePattern(text: string): RulePattern {
  const [, name, inside] = /^([A-Za-z_][\w.-]*)(?:\((.*)\))?$/s.exec(text.trim()) ?? []
  if (name === undefined) return { kind: 'unreadable', why: 'a rule is Tool or Tool(pattern)' }
  const tools = knownNames.get(name) ?? [name]
  if (inside === undefined) return { kind: 'tools', tools }
  const pattern = inside.trim()
  if (pattern === '') return { kind: 'unreadable', why: `the pattern of ${name} is empty` }
  if (pattern === '*' || pattern === '**') return { kind: 'tools', tools }
  if (tools.includes('bash')) return parseCommand(tools, pattern)
  if (tools.some((tool) => pathTools.has(tool))) return parsePath(tools, pattern)
  return { kind: 'unreadable', why: `${name} takes no pattern; only Bash, Read, Edit, Write, Glob and Grep do` }
}

function parseCommand(tools: readonly string[], pattern: string): RulePattern {
  const [, prefix] = /^(.*?)(?::\*|\s+\*)$/s.exec(pattern) ?? []
  const text = (prefix ?? pattern).trim()
  if (/^[\s*:]*$/.test(text)) return { kind: 'unreadable', why: 'the pattern names no command' }
  return { kind: 'command', tools, command: { text, open: prefix !== undefined } }
}

function parsePath(tools: readonly string[], pattern: string): RulePattern {
  if (/\[[[(]?[:.=]/.test(pattern)) return { kind: 'unreadable', why: 'named character classes are not known here' }
  if (/(?:^|\/)\.\.(?:\/|$)/.test(pattern)) return { kind: 'unreadable', why: 'a pattern cannot lead upwards' }
  if (/^(?:~|\.|\/)?\/*$/.test(pattern)) return { kind: 'unreadable', why: 'the pattern names no path' }
  return { kind: 'path', tools, path: pattern }
}
