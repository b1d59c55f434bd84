/** A command that the user, or the project, wrote as a Markdown file. */
export interface CustomCommand {
  /** As typed behind `/`; folders are parts of it: `git:review`. */
  readonly name: string
  readonly file: string
  readonly description: string
  /** What may stand behind it, for people. */
  readonly hint?: string
  /** Of a project it may come from a stranger. */
  readonly origin: 'user' | 'project'
  /** Rules that its task needs, as the file has them. */
  readonly allowedTools: readonly string[]
  readonly body: string
}

/** The command in the text of a file. Unknown keys of the frontmatter are left alone: other agents have more. */
export function customCommand(about: Pick<CustomCommand, 'name' | 'file' | 'origin'>, text: string): CustomCommand {
  const { keys, body } = frontmatterOf(text)
  const hint = keys.get('argument-hint')
  const [first = ''] = body.trim().split('\n')
  return {
    ...about,
    description: keys.get('description') ?? first.replace(/^#+\s*/, ''),
    ...(hint !== undefined && { hint }),
    allowedTools: listed(keys.get('allowed-tools') ?? ''),
    body,
  }
}

/**
 * Puts the words behind the command into its text: `$ARGUMENTS` is all of them, `$1` to `$9` single ones, in quotes where
 * they have spaces. Words that the text has no place for are put below it.
 */
export function expanded({ body }: Pick<CustomCommand, 'body'>, words: string): string {
  const single = wordsIn(words)
  let isUsed = false
  const text = body.replace(/\$(ARGUMENTS\b|[1-9](?!\d))/g, (_whole, which: string) => {
    isUsed = true
    return which === 'ARGUMENTS' ? words : (single[Number(which) - 1] ?? '')
  })
  return isUsed || words === '' ? text.trim() : `${text.trim()}\n\n${words}`
}

function wordsIn(words: string): readonly string[] {
  return [...words.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  )
}

/** The lines between two `---` at the top: a key, a colon, a value; and lists of `- item` below a key. */
function frontmatterOf(text: string): { readonly keys: ReadonlyMap<string, string>; readonly body: string } {
  const match = /^\ufeff?---[ \t]*\r?\n([^]*?)\r?\n---[ \t]*(?:\r?\n|$)([^]*)$/.exec(text)
  if (match === null) return { keys: new Map(), body: text }
  const [, head = '', body = ''] = match
  const keys = new Map<string, string>()
  let last = ''
  for (const line of head.split(/\r?\n/)) {
    const [, key, value = ''] = /^([A-Za-z][\w-]*)\s*:\s*(.*)$/.exec(line) ?? []
    const [, item] = /^\s+-\s+(.*)$/.exec(line) ?? []
    if (key !== undefined) keys.set((last = key), unquoted(value.trim()))
    else if (item !== undefined)
      keys.set(last, [keys.get(last) ?? '', unquoted(item.trim())].filter(Boolean).join(', '))
  }
  return { keys, body }
}

function unquoted(value: string): string {
  return value.replace(/^(["'])([^]*)\1$/, '$2')
}

/** `Read, Bash(git diff:*)`, or the same in brackets; a comma in parentheses belongs to the rule. */
function listed(value: string): readonly string[] {
  const inner = value.replace(/^\[([^]*)\]$/, '$1')
  return [...inner.matchAll(/(?:[^,(]|\([^)]*\))+/g)]
    .map(([rule]) => unquoted(rule.trim()))
    .filter((rule) => rule !== '')
}
