import { useState } from 'preact/hooks'
import { inOneLine, shortCount, usageNow } from '@loader/readings'
import { isChild, summarize } from '@loader/session-core'
import type { Standing } from '../../protocol.ts'
import type { Followed } from '../model/follow.ts'
import { go, linkTo } from '../model/route.ts'
import type { Tone } from '../model/words.ts'
import { Line } from '../ui/line.tsx'
import { Chip, SessionLink, stay } from '../ui/parts.tsx'

interface HeaderProps {
  readonly followed: Followed | null
  readonly hasList: boolean
  readonly onKeys: () => void
  /** Shows what else can be done with it; null where nothing can. */
  readonly onMore: (() => void) | null
  /** Makes an address that shows this session alone; null where there is no server to make one. */
  readonly share: (() => Promise<string>) | null
}

/** Which session this is, what goes on in it, and where it stands. */
export function SessionHeader({ followed, hasList, onKeys, onMore, share }: HeaderProps) {
  const state = followed?.session.state.value ?? null
  const activity = state === null || followed === null ? null : activityWords(followed)
  const lastTurn = state?.lastTurn
  const word = lastTurn?.judgement?.word ?? lastTurn?.verdict
  const used = state === null ? null : usageNow(state).session
  const hasAgents = state?.childUsage && 'With what its agents have used'
  return (
    <header class="session-header">
      <div class="session-title">
        {hasList && (
          <a
            class="back"
            href="#/"
            aria-label="All sessions"
            title="All sessions (u)"
            onClick={(event) => stay(event, () => go({ session: null }))}
          >
            <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
              <path d="M10 3 5 8l5 5" fill="none" stroke="currentColor" stroke-width="1.8" />
            </svg>
          </a>
        )}
        <h1>{state === null ? 'Session' : <Line text={summarize(state).title} />}</h1>
        {onMore !== null && (
          <button type="button" class="plain" onClick={onMore} title="Rename, fork, take back, accept, export (m)">
            More
          </button>
        )}
        {share !== null && <ShareButton share={share} />}
        <button type="button" class="plain keys-button on-desks" onClick={onKeys} aria-label="Keys" title="Keys (?)">
          ?
        </button>
      </div>
      {state !== null && (
        <p class="session-facts">
          {activity !== null && <Chip word={activity.word} tone={activity.tone} says={activity.says} />}
          {word !== undefined && (
            <a
              class="of-chip"
              href={linkTo({ view: 'truth' })}
              onClick={(event) => stay(event, () => go({ view: 'truth' }))}
              title="What shows it"
            >
              <Chip word={word} />
            </a>
          )}
          {state.parent !== undefined && isChild(state) && (
            <span>
              agent of {hasList ? <SessionLink id={state.parent.id}>another session</SessionLink> : state.parent.id}
            </span>
          )}
          <span>{inOneLine(state.policy?.model?.model ?? 'no model yet')}</span>
          <span class="figure">{state.usage.turns === 1 ? '1 turn' : `${state.usage.turns} turns`}</span>
          {used !== null && used.tokens > 0 && (
            <span class="figure" title={hasAgents}>
              {shortCount(used.tokens)} tokens
            </span>
          )}
          {used !== null && used.cost !== '' && (
            <span class="figure" title={hasAgents}>
              {used.cost === '?' ? 'cost not known' : used.cost}
            </span>
          )}
          {state.project !== null && <span class="quiet path">{inOneLine(state.project.root)}</span>}
        </p>
      )}
    </header>
  )
}

/** Copies an address that shows this session alone, and nothing can be changed with. */
function ShareButton({ share }: { share: () => Promise<string> }) {
  const [said, setSaid] = useState('Share')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(await share())
      setSaid('Copied')
    } catch {
      setSaid('Not copied')
    }
  }
  return (
    <button
      type="button"
      class="plain on-desks"
      onClick={() => void copy()}
      title="Copies an address that shows this session alone, read-only and without secrets"
    >
      <span role="status">{said}</span>
    </button>
  )
}

const whoAskedIsGone = 'It has asked something, and its process has ended. It goes on with your answer.'

/** What goes on, as the server says it. */
function standingWords(
  { phase, holder, question }: Standing,
  turnPhase: string | undefined,
): { readonly word: string; readonly tone: Tone; readonly says: string } {
  const who = holder?.where === 'elsewhere' ? ` It is ${inOneLine(holder.words)}.` : ''
  switch (phase) {
    case 'resting':
      return { word: 'resting', tone: 'idle', says: `No turn is open.${who}` }
    case 'running':
      return { word: 'running', tone: 'live', says: `Phase ${turnPhase ?? 'prepare'}.${who}` }
    case 'waiting':
      return { word: 'waits for you', tone: 'warn', says: `It has asked something.${who}` }
    case 'cut_off':
      if (question !== null) return { word: 'waits for you', tone: 'warn', says: whoAskedIsGone }
      return { word: 'cut off', tone: 'warn', says: 'There is work to do, and no process has it.' }
    default:
      return phase satisfies never
  }
}

/** What goes on: by the events, and by what the list knows of the process that holds the session. */
function activityWords({
  session,
  row,
}: Followed): { readonly word: string; readonly tone: Tone; readonly says: string } | null {
  const state = session.state.value
  if (state === null) return null
  const activity = row.value !== null && 'activity' in row.value ? row.value.activity : undefined
  const { turn } = state
  if (activity === 'damaged') return { word: 'damaged', tone: 'bad', says: 'What can be read is shown.' }
  const standing = session.standing.value
  if (standing !== null) return standingWords(standing, turn?.phase)
  if (turn === null) return { word: 'resting', tone: 'idle', says: 'No turn is open.' }
  if (turn.question !== null && turn.question.answer === undefined)
    return {
      word: 'waits for you',
      tone: 'warn',
      says: activity === 'cut_off' ? whoAskedIsGone : 'It has asked a question.',
    }
  if (activity === 'cut_off')
    return { word: 'cut off', tone: 'warn', says: 'A turn is open, and its process has ended.' }
  if (activity === undefined && session.connection.value === null)
    return { word: 'turn open', tone: 'warn', says: 'The turn was open when this was exported.' }
  return { word: 'running', tone: 'live', says: `Phase ${turn.phase}` }
}
