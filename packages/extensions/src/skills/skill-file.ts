import { type FrontMatter, readFrontMatter } from '../text/front-matter.ts'

/** A skill: a folder with a file SKILL.md, whose text the model reads when its description fits the task. */
export interface Skill {
  readonly name: string
  /** What it does and when to use it, for the model that chooses. */
  readonly description: string
  /** Its folder; what its text names lies there. */
  readonly folder: string
  readonly file: string
  /** A file of a project can come from a stranger. */
  readonly origin: 'user' | 'project'
  /** Rules that it needs, as the file has them. They count when the user trusts where it comes from. */
  readonly allowedTools: readonly string[]
  /** What it needs of the machine, for people. */
  readonly compatibility?: string
  readonly body: string
}

/** A skill, or why the file is none. */
export type ParsedSkill = { readonly ok: true; readonly skill: Skill } | { readonly ok: false; readonly why: string }

const longestName = 64
const longestDescription = 1024
const longestCompatibility = 500

/** The skill in the text of a SKILL.md. It must have the name of its folder: another name could pass it off as another skill. */
export function parseSkill(
  about: Pick<Skill, 'folder' | 'file' | 'origin'> & { readonly folderName: string },
  text: string,
): ParsedSkill {
  const read = readFrontMatter(text)
  if (read.kind === 'none') return refused('it has no front matter (--- above name and description)')
  if (read.kind === 'unreadable') return refused(`line ${read.line}: ${read.why}`)
  const { front } = read
  const { folderName, ...place } = about
  const name = textAt(front, 'name') ?? ''
  const description = textAt(front, 'description') ?? ''
  const compatibility = textAt(front, 'compatibility')
  const allowed = textAt(front, 'allowed-tools', 'list')
  const metadata = front.keys.get('metadata')
  if (name === '') return refused('name is missing')
  if (name.length > longestName || !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) {
    return refused(
      `name: ${JSON.stringify(name.slice(0, 100))} is not lower-case letters and digits with single - between, at most 64`,
    )
  }
  if (name !== folderName) return refused(`it is called ${name}, and lies in a folder that is called ${folderName}`)
  if (description === '') return refused('description is missing: it says when the skill is used')
  if (description.length > longestDescription)
    return refused(`description is longer than ${longestDescription} characters`)
  if ((compatibility?.length ?? 0) > longestCompatibility)
    return refused(`compatibility is longer than ${longestCompatibility} characters`)
  if (metadata !== undefined && !(metadata instanceof Map) && metadata !== '')
    return refused('metadata should be keys with texts')
  return {
    ok: true,
    skill: {
      ...place,
      name,
      description: description.replace(/\s+/g, ' '),
      allowedTools: rulesIn(allowed ?? ''),
      ...(compatibility !== undefined && { compatibility }),
      body: front.body.trim(),
    },
  }
}

function refused(why: string): ParsedSkill {
  return { ok: false, why }
}

function textAt({ keys }: FrontMatter, key: string, list?: 'list'): string | undefined {
  const value = keys.get(key)
  if (typeof value === 'string') return value.trim()
  return list !== undefined && Array.isArray(value) ? value.join(' ') : undefined
}

/** Rules with spaces or commas between them; those in parentheses belong to the rule. */
function rulesIn(text: string): readonly string[] {
  const rules: string[] = []
  let [from, depth] = [0, 0]
  for (let at = 0; at <= text.length; at += 1) {
    const sign = text.charAt(at)
    if (sign === '(') depth += 1
    else if (sign === ')') depth = Math.max(0, depth - 1)
    else if (at === text.length || (depth === 0 && /[\s,]/.test(sign))) {
      rules.push(text.slice(from, at))
      from = at + 1
    }
  }
  return rules.filter((rule) => rule !== '')
}
