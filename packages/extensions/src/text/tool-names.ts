/**
 * What other agents call tools, in files that they share with this one, and what they are called here. `Edit` stands for all
 * three that change a file.
 */
const shared: ReadonlyMap<string, readonly string[]> = new Map([
  ['Bash', ['bash']],
  ['BashOutput', ['background']],
  ['KillShell', ['background']],
  ['Read', ['read']],
  ['Write', ['write']],
  ['Edit', ['edit', 'patch']],
  ['MultiEdit', ['edit', 'patch']],
  ['Glob', ['glob']],
  ['LS', ['glob']],
  ['Grep', ['grep']],
  ['WebFetch', ['fetch']],
  ['TodoWrite', ['todo_write']],
  ['AskUserQuestion', ['ask_user']],
  ['Skill', ['skill']],
  ['Task', ['agent']],
  ['Agent', ['agent']],
])

/** The names that a tool has here, by the name in a shared file: `Bash`, `bash`, `mcp__files__read`. */
export function toolsNamed(name: string): readonly string[] {
  return shared.get(name) ?? [name.replace(/^mcp__(?=.+__)/, '')]
}

const known: ReadonlyMap<string, string> = new Map([
  ['bash', 'Bash'],
  ['background', 'BashOutput'],
  ['read', 'Read'],
  ['write', 'Write'],
  ['edit', 'Edit'],
  ['patch', 'Edit'],
  ['glob', 'Glob'],
  ['grep', 'Grep'],
  ['fetch', 'WebFetch'],
  ['todo_write', 'TodoWrite'],
  ['ask_user', 'AskUserQuestion'],
  ['skill', 'Skill'],
  ['agent', 'Agent'],
])

/** What other agents call a tool of this one: `bash` is `Bash`, `files__read` of a server is `mcp__files__read`. */
export function sharedName(name: string): string {
  return known.get(name) ?? (/^[^_].*?__./.test(name) ? `mcp__${name}` : name)
}

/** All names that a tool has in shared files, with its own. */
export function sharedNames(name: string): readonly string[] {
  const others = [...shared].flatMap(([other, ours]) => (ours.includes(name) ? [other] : []))
  return [...new Set([sharedName(name), ...others, name])]
}
