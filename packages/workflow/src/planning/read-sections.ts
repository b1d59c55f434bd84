/** A section of a text under a known heading. */
export interface TextSection<Name extends string> {
  readonly name: Name
  /** `assumed` if the heading says so: `## Constraints (assumed)`. */
  readonly standing: 'said' | 'assumed'
  readonly lines: readonly string[]
}

interface Heading<Name extends string> {
  /** Null for an unknown heading. */
  readonly name: Name | null
  readonly level: number
  readonly standing: 'said' | 'assumed'
  /** The text after the heading in the same line. */
  readonly rest: string
}

const belowAll = 7

/**
 * The known sections of a markdown text, in order. Headings are `## Name`, `**Name**` or `Name:`; the last two count
 * only with known names. An unknown heading of the same or a higher level ends a section; a deeper one is part of it.
 * Lines in fenced code are never headings.
 */
export function readSections<Name extends string>(text: string, names: ReadonlyMap<string, Name>): TextSection<Name>[] {
  const sections: (TextSection<Name> & { readonly lines: string[]; readonly level: number })[] = []
  let current: (typeof sections)[number] | undefined
  let fenced = false
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced
    const heading = fenced ? undefined : headingOf(line, names)
    if (heading === undefined || (heading.name === null && heading.level > (current?.level ?? belowAll))) {
      current?.lines.push(line)
    } else if (heading.name === null) {
      current = undefined
    } else {
      const { name, level, standing, rest } = heading
      current = { name, level, standing, lines: rest === '' ? [] : [rest] }
      sections.push(current)
    }
  }
  return sections
}

function headingOf<Name extends string>(line: string, names: ReadonlyMap<string, Name>): Heading<Name> | undefined {
  const marked = /^ {0,3}(#{1,6})\s+(.+?)\s*#*\s*$/.exec(line)
  if (marked !== null) {
    const [, marks = '', title = ''] = marked
    return { ...titled(title, names), level: marks.length, rest: '' }
  }
  const bold = /^\s*(?:(?:[-*+•]|\d+[.)])\s+)?(?:\*\*|__)([^*_]+?):?(?:\*\*|__)\s*:?\s*(.*)$/.exec(line)
  const plain = bold ?? /^\s*([A-Za-z][\w &/()-]{2,60}?)\s*:\s*(.*)$/.exec(line)
  if (plain === null) return undefined
  const [, title = '', rest = ''] = plain
  const heading = titled(title, names)
  return heading.name === null ? undefined : { ...heading, level: belowAll, rest: rest.trim() }
}

function titled<Name extends string>(
  title: string,
  names: ReadonlyMap<string, Name>,
): Pick<Heading<Name>, 'name' | 'standing'> {
  const standing = /\(assumed\)[\s:*_]*$/i.test(title) ? 'assumed' : 'said'
  const key = title
    .toLowerCase()
    .replace(/\([^)]*\)/g, ' ')
    .replace(/&/g, ' and ')
    .replace(/^\s*\d+[.)]\s*/, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return { name: names.get(key) ?? null, standing }
}
