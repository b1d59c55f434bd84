import { addTotals, type History, isSessionEvent, type SessionEvent, type Totals } from '@loader/session-core'
import type { ChildOutcome, ChildPlace, Verdict } from '@loader/session-core/coding'

type Assigned = Extract<SessionEvent, { readonly type: 'child.assigned' }>

/** A child session, as the log of the session that began it tells of it. */
export interface AgentReading {
  readonly id: string
  /** Its task in a few words. */
  readonly title: string
  /** The kind of agent, by its name. */
  readonly kind?: string
  readonly place: ChildPlace
  /** The event that gave it its task. */
  readonly seq: number
  /**
   * `working` until its log gives its result, whether or not a process is there. `unknown` also where events are lost that
   * could have told its end.
   */
  readonly standing: 'working' | 'finished' | 'failed' | 'stopped' | 'unknown'
  /** Whether its session exists and has the tool that begins agents. Its own log then tells about those. */
  readonly mayBegin: boolean
  /** The verdict of its last turn, by the checks that ran there. */
  readonly verdict?: Verdict
  /** What it and its own agents have used; absent until it is known. */
  readonly usage?: Totals
  /** Which of its changes to files were applied to the workspace; absent before that, and for an agent that only reads. */
  readonly files?: { readonly taken: readonly string[]; readonly conflicts: readonly string[] }
}

/** The child sessions of a session, and what those that finished have used together. */
export interface AgentsReading {
  /** In the order in which they got their tasks. */
  readonly agents: readonly AgentReading[]
  readonly usage?: Totals
}

const standings: Readonly<Record<ChildOutcome, AgentReading['standing']>> = {
  ok: 'finished',
  failed: 'failed',
  interrupted: 'stopped',
  unknown: 'unknown',
}

/** The agents that a session has begun, all of them. Of a copy of a session: those that it began itself. */
export function agentsReading(history: History): AgentsReading {
  const agents = new Map<string, AgentReading>()
  const withTool = new Set<string>()
  const change = (id: string, news: Partial<AgentReading>) => {
    const known = agents.get(id)
    if (known !== undefined) agents.set(id, { ...known, ...news })
  }
  for (const event of history) {
    if (!isSessionEvent(event)) continue
    switch (event.type) {
      case 'session.forked':
        agents.clear()
        break
      case 'event.lost':
        for (const { id, standing } of agents.values()) if (standing === 'working') change(id, { standing: 'unknown' })
        break
      case 'child.assigned':
        agents.set(event.childId, begun(event))
        if (event.grant.tools.includes('agent')) withTool.add(event.childId)
        break
      case 'child.opened':
        change(event.childId, { mayBegin: withTool.has(event.childId) })
        break
      case 'child.finished': {
        const { childId, outcome, verdict, usage } = event
        change(childId, { standing: standings[outcome], usage, ...(verdict !== undefined && { verdict }) })
        break
      }
      case 'child.merged': {
        const those = (wanted: string) => event.files.flatMap(({ path, outcome }) => (outcome === wanted ? [path] : []))
        change(event.childId, { files: { taken: those('merged'), conflicts: those('conflict') } })
        break
      }
      default:
    }
  }
  const all = [...agents.values()]
  const used = all.flatMap(({ usage }) => usage ?? [])
  return { agents: all, ...(used.length > 0 && { usage: used.reduce((sum, each) => addTotals(sum, each)) }) }
}

function begun({ childId, title, agent, place, seq }: Assigned): AgentReading {
  return {
    id: childId,
    title,
    ...(agent !== undefined && { kind: agent }),
    place,
    seq,
    standing: 'working',
    mayBegin: false,
  }
}
