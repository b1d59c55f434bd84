import type { AgentKind } from '@loader/agent/offer-tools'
import { type AgentFiles, readAgents } from '@loader/extensions'
import { homeFolder } from '@loader/workspace'
import type { Places } from '../places/places.ts'

/** The kinds of agents of the user and the project, with notes on what of their files is left aside. */
export function kindsOfAgents(
  { root, config }: Pick<Places, 'root' | 'config'>,
  trusted: boolean,
): { readonly kinds: ReadonlyMap<string, AgentKind>; readonly notes: readonly string[] } {
  const home = homeFolder()
  const files = readAgents({ root, config, trusted, ...(home !== undefined && { home }) })
  const kinds = new Map<string, AgentKind>()
  const notes = files.faults.map(({ file, why }) => `${file} defines no agent: ${why}`)
  for (const agent of files.agents.values()) {
    const { kind, note } = asKind(agent)
    kinds.set(kind.name, kind)
    notes.push(...agent.notes.map((each) => `${agent.file}: ${each}`), ...(note === undefined ? [] : [note]))
  }
  return { kinds, notes }
}

type Definition = AgentFiles['agents'] extends ReadonlyMap<string, infer Agent> ? Agent : never

/** Other programs have short names for their models, which say nothing here. */
function asKind({ name, description, prompt, tools, withoutTools, reach, model, file }: Definition): {
  readonly kind: AgentKind
  readonly note?: string
} {
  const isKnown = model?.includes('/') === true
  return {
    kind: {
      name,
      description,
      prompt,
      ...(tools && { tools }),
      ...(withoutTools && { withoutTools }),
      ...(reach && { reach }),
      ...(isKnown && { model }),
    },
    ...(model !== undefined &&
      !isKnown && { note: `${file}: model ${model} is no provider/id; it gets the model of its parent` }),
  }
}
