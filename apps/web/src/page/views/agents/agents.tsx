import { useState } from 'preact/hooks'
import {
  type AgentReading,
  agentsReading,
  type AgentsReading,
  costText,
  counted,
  inOneLine,
  shortCount,
} from '@loader/readings'
import type { Totals } from '@loader/session-core'
import type { Source } from '../../connection/source.ts'
import type { OpenSession } from '../../model/session.ts'
import { plain, type Tone } from '../../model/words.ts'
import { Chip, SeqLink, SessionLink } from '../../ui/parts.tsx'
import { useBranches } from './branches.ts'

interface AgentsProps {
  readonly session: OpenSession
  /** Where the sessions of agents are; null where there is this session alone. */
  readonly source: Source | null
}

/** The agents of a session in one line, which opens to their tree. */
export function Agents({ session, source }: AgentsProps) {
  const [isOpen, setOpen] = useState(false)
  const { agents, usage } = session.reading(agentsReading).value
  if (agents.length === 0) return null
  const open = wordOfOpen(session)
  const isPart = agents.some((agent) => agent.usage === undefined)
  const words = agents.map(({ standing }) => wordOf(standing, open))
  const tally = [...new Set(words)].map((word) => `${words.filter((one) => one === word).length} ${plain(word)}`)
  return (
    <section class="agents" aria-label="Agents">
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          {counted(agents.length, 'agent')}{' '}
          <span class="quiet figure">
            {[...tally, ...(usage === undefined ? [] : used(usage, isPart))].join(' · ')}
          </span>
        </summary>
        {isOpen && <AgentList agents={agents} open={open} source={source} label="Agents of this session" isTop />}
      </details>
    </section>
  )
}

interface ListProps {
  readonly agents: AgentsReading['agents']
  /** What is said of those that have not ended. */
  readonly open: OpenWord
  readonly source: Source | null
  readonly label: string
  readonly isTop?: boolean
}

function AgentList({ agents, open, source, label, isTop = false }: ListProps) {
  const branches = useBranches(agents, source)
  return (
    <ul aria-label={label}>
      {agents.map((agent) => {
        const { id, standing, title } = agent
        const branch = branches.get(id)
        return (
          <li key={id}>
            <Agent agent={agent} open={open} isTop={isTop} hasLink={source !== null} />
            {typeof branch === 'string' && <p class="quiet">Its own agents cannot be shown: {inOneLine(branch)}</p>}
            {typeof branch === 'object' && branch.agents.length > 0 && (
              <AgentList
                agents={branch.agents}
                open={standing === 'working' ? open : 'cut_off'}
                source={source}
                label={`Agents of: ${inOneLine(title)}`}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}

interface AgentProps {
  readonly agent: AgentReading
  readonly open: OpenWord
  readonly isTop: boolean
  readonly hasLink: boolean
}

function Agent({ agent, open, isTop, hasLink }: AgentProps) {
  const { id, title, verdict, standing, files, seq } = agent
  const word = wordOf(standing, open)
  const conflicts = files?.conflicts ?? []
  return (
    <>
      <p class="agent">
        <Chip word={word} tone={tones[word]} />
        {hasLink ? <SessionLink id={id}>{inOneLine(title)}</SessionLink> : <span>{inOneLine(title)}</span>}
        {verdict !== undefined && <Chip word={verdict} />}
      </p>
      <p class="quiet figure">
        {factsOf(agent).join(' · ')} {isTop && <SeqLink seq={seq} />}
      </p>
      {conflicts.length > 0 && (
        <p class="tone-warn">Not taken over, because the folder has another version: {some(conflicts)}</p>
      )}
    </>
  )
}

function factsOf({ kind, place, usage, files }: AgentReading): string[] {
  const taken = files?.taken ?? []
  return [
    ...(kind === undefined ? [] : [inOneLine(kind)]),
    place === 'copy' ? 'works in a copy' : 'only looks',
    ...(usage === undefined ? ['cost not known yet'] : used(usage)),
    ...(taken.length === 0 ? [] : [`${counted(taken.length, 'file')} changed: ${some(taken)}`]),
  ]
}

/** What was used, agents of agents included. */
function used(usage: Totals, isPart = false): string[] {
  const cost = costText(usage, isPart)
  const tokens = `${shortCount(usage.inputTokens + usage.outputTokens)} tokens`
  return [tokens, ...(cost === '' ? [] : [cost === '?' ? 'cost not known' : cost])]
}

const mostPaths = 3

function some(paths: readonly string[]): string {
  const more = paths.length - mostPaths
  return [...paths.slice(0, mostPaths).map(inOneLine), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

type OpenWord = 'working' | 'cut_off' | 'not_finished'
type Word = OpenWord | Exclude<AgentReading['standing'], 'working'>

const tones: Readonly<Record<Word, Tone>> = {
  working: 'live',
  cut_off: 'warn',
  not_finished: 'warn',
  // It has ended. Whether its work is good, its verdict says.
  finished: 'idle',
  failed: 'bad',
  stopped: 'warn',
  unknown: 'warn',
}

function wordOf(standing: AgentReading['standing'], open: OpenWord): Word {
  return standing === 'working' ? open : standing
}

/** An agent works in the process of the session that began it. */
function wordOfOpen({ standing, connection }: OpenSession): OpenWord {
  const phase = standing.value?.phase
  if (phase === undefined) return connection.value === null ? 'not_finished' : 'working'
  return phase === 'running' || phase === 'waiting' ? 'working' : 'cut_off'
}
