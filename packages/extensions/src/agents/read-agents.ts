import { join } from 'node:path'
import { entriesOf, type FilePlace, inProject, textOf } from '../text/files-in.ts'
import { type AgentDefinition, parseAgent } from './agent-file.ts'

/** Where agents are looked for. */
export interface AgentPlaces {
  /** The project. */
  readonly root: string
  /** The folder of the user's own settings. */
  readonly config: string
  readonly home?: string
  /** Whether the user trusts the project. Without that, no file of it chooses a model, since that can cost money. */
  readonly trusted: boolean
}

/** The agents that were found, by name, and the files that define none. */
export interface AgentFiles {
  readonly agents: ReadonlyMap<string, AgentDefinition>
  readonly faults: readonly { readonly file: string; readonly why: string }[]
}

/** Folders with more files were not made for agents. */
const mostFiles = 200

/**
 * The agents of this project and of the user. One of the project comes before one of the user with the same name, and
 * Loader's folders before those of Claude Code.
 */
export function readAgents({ root, config, home, trusted }: AgentPlaces): AgentFiles {
  const places: FilePlace[] = [
    inProject(root, '.loader', 'agents'),
    inProject(root, '.claude', 'agents'),
    { folder: join(config, 'agents'), origin: 'user' },
    ...(home === undefined ? [] : [{ folder: join(home, '.claude', 'agents'), origin: 'user' } as const]),
  ]
  const agents = new Map<string, AgentDefinition>()
  const faults: { file: string; why: string }[] = []
  for (const place of places) {
    const names = entriesOf(place).flatMap((entry) => (/^[^.].*\.md$/i.test(entry.name) ? [entry.name] : []))
    for (const name of names.slice(0, mostFiles)) {
      const file = join(place.folder, name)
      const read = textOf(file, place)
      const parsed =
        'why' in read ? { ok: false as const, ...read } : parseAgent({ file, origin: place.origin }, read.text)
      if (!parsed.ok) faults.push({ file, why: parsed.why })
      else if (!agents.has(parsed.agent.name)) agents.set(parsed.agent.name, asTrusted(parsed.agent, trusted))
    }
  }
  return { agents, faults }
}

function asTrusted(agent: AgentDefinition, trusted: boolean): AgentDefinition {
  const { model, ...rest } = agent
  if (trusted || agent.origin === 'user' || model === undefined) return agent
  return { ...rest, notes: [...rest.notes, `model ${model} is left aside until you trust the project`] }
}
