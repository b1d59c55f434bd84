import { type Reach, Reach as ReachSchema } from '@loader/session-core/coding'
import { commaSeparated, type FrontMatter, type FrontValue, readFrontMatter } from '../text/front-matter.ts'
import { toolsNamed } from '../text/tool-names.ts'

/** An agent that a Markdown file defines: front matter says what it is, the text below is its prompt. */
export interface AgentDefinition {
  readonly name: string
  /** When to use it, for the model that chooses. */
  readonly description: string
  readonly file: string
  /** A file of a project can come from a stranger. */
  readonly origin: 'user' | 'project'
  /** The tools that it may have, by their names here; absent means those of its parent. It never has more than these. */
  readonly tools?: readonly string[]
  /** Tools that it does not have, whatever `tools` says. */
  readonly withoutTools?: readonly string[]
  /** As the file has it: `provider/id`, or an alias such as `haiku`. Absent means the model of its parent. */
  readonly model?: string
  /** The most that it can touch; absent means as much as its parent. */
  readonly reach?: Reach
  /** What it is told, before its task. */
  readonly prompt: string
  /** What of the file is left aside, and why, for people. */
  readonly notes: readonly string[]
}

/** An agent, or why the file defines none. */
export type ParsedAgent =
  | { readonly ok: true; readonly agent: AgentDefinition }
  | { readonly ok: false; readonly why: string }

const nameRule = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const longestName = 64
const longestDescription = 1024

/** Keys of other agents that would change what an agent may do: to leave them aside in silence would be wrong. */
const restricting: ReadonlyMap<string, string> = new Map([
  ['permissionMode', 'an agent asks as its parent does'],
  ['mcpServers', 'an agent has the servers of its parent, as far as its tools allow'],
  ['hooks', 'the hooks of the session run for it as well'],
  ['isolation', 'where an agent works is decided when it is started'],
])

/**
 * The agent in the text of a file: ours, or one written for Claude Code. Keys that are not known are left aside; a value
 * that cannot be read is an error, because what it restricts would not be restricted.
 */
export function parseAgent(about: Pick<AgentDefinition, 'file' | 'origin'>, text: string): ParsedAgent {
  const read = readFrontMatter(text)
  if (read.kind === 'none') return refused('it has no front matter (--- above name and description)')
  if (read.kind === 'unreadable') return refused(`line ${read.line}: ${read.why}`)
  const { front } = read
  try {
    return { ok: true, agent: agentOf(about, front) }
  } catch (error) {
    if (error instanceof Fault) return refused(error.message)
    throw error
  }
}

/** Never leaves this file. */
class Fault extends Error {}

function refused(why: string): ParsedAgent {
  return { ok: false, why }
}

function agentOf(about: Pick<AgentDefinition, 'file' | 'origin'>, { keys, body }: FrontMatter): AgentDefinition {
  const name = nameOf(keys)
  const description = textAt(keys, 'description')?.trim() ?? ''
  if (description === '') throw new Fault('description is missing: it says when the agent is used')
  if (body.trim() === '') throw new Fault('there is no text below the front matter: it is what the agent is told')
  const tools = toolsAt(keys, 'tools')
  const withoutTools = toolsAt(keys, 'disallowedTools')
  const model = modelOf(keys)
  const reach = reachOf(keys)
  return {
    ...about,
    name,
    description: description.length > longestDescription ? `${description.slice(0, longestDescription)}…` : description,
    ...(tools && { tools }),
    ...(withoutTools && { withoutTools }),
    ...(model !== undefined && { model }),
    ...(reach && { reach }),
    prompt: body.trim(),
    notes: [...restricting].flatMap(([key, why]) => (keys.has(key) ? [`${key} is left aside: ${why}`] : [])),
  }
}

function nameOf(keys: FrontMatter['keys']): string {
  const name = textAt(keys, 'name')?.trim() ?? ''
  if (name === '') throw new Fault('name is missing')
  if (name.length <= longestName && nameRule.test(name)) return name
  throw new Fault(
    `name: ${JSON.stringify(name)} is not lower-case letters and digits with single - between, at most 64`,
  )
}

/** `inherit` is what other files say for the model of the parent. */
function modelOf(keys: FrontMatter['keys']): string | undefined {
  const model = textAt(keys, 'model')?.trim()
  return model === undefined || model === '' || model === 'inherit' ? undefined : model
}

function reachOf(keys: FrontMatter['keys']): Reach | undefined {
  const said = textAt(keys, 'reach')?.trim()
  if (said === undefined || said === '') return undefined
  const reach = ReachSchema.safeParse(said)
  if (reach.success) return reach.data
  throw new Fault(`reach: ${JSON.stringify(said)} is not one of look, work, network, open`)
}

function toolsAt(keys: FrontMatter['keys'], key: string): readonly string[] | undefined {
  const said = keys.get(key)
  if (said === undefined || said === '*') return undefined
  if (said === '') throw new Fault(`${key}: is empty; leave it out for the tools of the parent, or write [] for none`)
  const names = typeof said === 'string' ? commaSeparated(said) : listAt(said, key)
  const narrow = names.find((name) => !/^[\w.*:/-]+$/.test(name))
  if (narrow !== undefined) {
    throw new Fault(`${key}: ${narrow} is not the name of a tool; what a tool may do is for permission rules to say`)
  }
  return names.includes('*') ? undefined : [...new Set(names.flatMap(toolsNamed))]
}

function listAt(said: Exclude<FrontValue, string>, key: string): readonly string[] {
  if (Array.isArray(said)) return said as readonly string[]
  throw new Fault(`${key}: should be names with commas, or a list`)
}

function textAt(keys: FrontMatter['keys'], key: string): string | undefined {
  const said = keys.get(key)
  if (said === undefined || typeof said === 'string') return said
  throw new Fault(`${key}: should be a text`)
}
