import { shortDigest } from '../config/definition.ts'

/** A tool as its server calls it. */
export interface Named {
  readonly server: string
  readonly tool: string
}

/** What providers of models accept. */
const longest = 64

/**
 * The name of each tool for models: `server__tool`, in letters, digits, `_` and `-`. Where that is too long, or could be
 * taken for another tool (models do not mind case nor underscores), a digest of the real names makes it another. The same
 * tool has the same name as long as the tools around it are the same.
 */
export function namesOf(tools: readonly Named[], reserved: readonly string[]): readonly string[] {
  const taken = new Map<string, number>()
  for (const name of reserved) taken.set(alike(name), 2)
  const plain = tools.map(({ server, tool }) => `${server}__${tool}`.replace(/[^A-Za-z0-9_-]/g, '_'))
  for (const name of plain) taken.set(alike(name), (taken.get(alike(name)) ?? 0) + 1)
  return tools.map((tool, index) => {
    const name = plain[index] ?? ''
    const isAlone = taken.get(alike(name)) === 1 && name.length <= longest && name.endsWith(`__${tool.tool}`)
    if (isAlone) return name
    const mark = `_${shortDigest([tool.server, tool.tool]).slice(0, 8)}`
    return `${name.slice(0, longest - mark.length)}${mark}`
  })
}

/** Models are taken to mean one tool by any of these. */
function alike(name: string): string {
  return name.toLowerCase().replaceAll(/[_\-. ]/g, '')
}
