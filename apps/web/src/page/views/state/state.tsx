import { useEffect, useMemo, useRef } from 'preact/hooks'
import {
  callTitle,
  costText,
  counted,
  evidenceReading,
  fullTime,
  inOneLine,
  shortCount,
  whyReading,
} from '@loader/readings'

import {
  isSessionEvent,
  reduce,
  type SessionState,
  shownText,
  type StoredEvent,
  type Totals,
} from '@loader/session-core'
import { useKeys } from '../../model/keys.ts'
import { go, route } from '../../model/route.ts'
import type { OpenSession } from '../../model/session.ts'
import { StatesAt } from '../../model/states.ts'
import { plain } from '../../model/words.ts'
import { Chip, Facts, Output, SeqLink, Words } from '../../ui/parts.tsx'
import { eventWords } from './event-words.ts'

const shownEvents = 15

/** The state after any event, and what comes next from there. */
export function StateView({ session }: { session: OpenSession }) {
  const { value: revision } = session.revision
  const { history } = session
  const states = useMemo(() => new StatesAt(history), [session])
  const seq = Math.min(Math.max(1, route.value.seq ?? history.length), history.length)
  const event = history[seq - 1]
  // The one comes of the other, so that what is the same object in both has not changed.
  const [before, state] = useMemo(() => {
    const earlier = states.at(seq - 1)
    return [earlier, event === undefined ? earlier : reduce(earlier, event)]
  }, [states, seq, revision])
  const step = (by: number) => go({ seq: Math.min(history.length, Math.max(1, seq + by)) }, 'replace')
  const toType = (types: readonly string[], by: 1 | -1) => {
    for (let at = seq - 1 + by; at >= 0 && at < history.length; at += by) {
      const found = history[at]
      if (found !== undefined && types.includes(found.type)) return go({ seq: found.seq }, 'replace')
    }
    return undefined
  }
  useKeys([
    { keys: ['ArrowLeft', 'k'], group: 'State', says: 'Event before', run: (key) => step(key.shiftKey ? -10 : -1) },
    { keys: ['ArrowRight', 'j'], group: 'State', says: 'Next event', run: (key) => step(key.shiftKey ? 10 : 1) },
    { keys: ['PageUp'], group: 'State', says: 'Ten events back', run: () => step(-10) },
    { keys: ['PageDown'], group: 'State', says: 'Ten events on', run: () => step(10) },
    { keys: ['Home'], group: 'State', says: 'To the first event', run: () => step(-history.length) },
    { keys: ['End'], group: 'State', says: 'To the last event', run: () => step(history.length) },
    { keys: [']'], group: 'State', says: 'Next turn', run: () => toType(['turn.started'], 1) },
    { keys: ['['], group: 'State', says: 'Turn before', run: () => toType(['turn.started'], -1) },
    { keys: ['x'], group: 'State', says: 'Next claim', run: () => toType(['session.claimed'], 1) },
    { keys: ['d'], group: 'State', says: 'Next decision', run: () => toType(['workflow.decided'], 1) },
  ])
  if (state === null || event === undefined) return null
  const next = history[seq]
  return (
    <div class="state-view">
      <div class="scrub">
        <label for="scrub">
          After event <strong class="figure">{seq}</strong> of {history.length}
        </label>
        <input
          id="scrub"
          type="range"
          min="1"
          max={history.length}
          value={seq}
          aria-valuetext={`event ${seq}, ${event.type}`}
          onInput={(input) => go({ seq: Number(input.currentTarget.value) }, 'replace')}
        />
      </div>
      <div class="state-columns">
        <EventList session={session} seq={seq} />
        <div class="state-now">
          <section class="event-now" aria-live="polite">
            <h3>
              <code>{event.type}</code> <span class="quiet figure">{fullTime(event.at)}</span>
            </h3>
            <p>{eventWords(event)}</p>
            <p class="quiet">
              <SeqLink seq={seq} /> in the conversation
            </p>
          </section>
          <NextMove session={session} state={state} next={next} />
          <StateFacts state={state} before={before} />
          <details class="raw">
            <summary>The event as it is stored</summary>
            <Output text={JSON.stringify(event, null, 2)} name="The event" most={60} />
          </details>
        </div>
      </div>
    </div>
  )
}

/** The events around, each a line. */
function EventList({ session: { history }, seq }: { session: OpenSession; seq: number }) {
  const place = useRef<HTMLOListElement>(null)
  const first = Math.min(Math.max(1, seq - Math.floor(shownEvents / 2)), Math.max(1, history.length - shownEvents + 1))
  const some = history.slice(first - 1, first - 1 + shownEvents)
  useEffect(() => {
    // Within the list alone: the page stays where it is.
    const [list, line] = [place.current, place.current?.querySelector<HTMLElement>('[aria-current]')?.parentElement]
    if (list == null || line == null) return
    const [above, room] = [line.offsetTop, list.clientHeight - line.offsetHeight]
    list.scrollTop = Math.max(above - room, Math.min(list.scrollTop, above))
  }, [seq])
  return (
    <ol class="event-list" start={first} ref={place} aria-label="Events around it">
      {some.map((event) => (
        <li key={event.seq}>
          <button
            type="button"
            class={`plain ${event.seq > seq ? 'later' : ''}`}
            aria-current={event.seq === seq ? 'true' : undefined}
            onClick={() => go({ seq: event.seq }, 'replace')}
          >
            <span class="figure quiet">{event.seq}</span>
            <code>{event.type}</code>
            <span class="event-words">{eventWords(event)}</span>
          </button>
        </li>
      ))}
    </ol>
  )
}

/** What the session did from here, as it is recorded; from its last event on, what it waits for. */
function NextMove({
  session,
  state,
  next,
}: {
  session: OpenSession
  state: SessionState
  next: StoredEvent | undefined
}) {
  const { history } = session
  const why = useMemo(
    () => (next === undefined ? whyReading(history, state, session.isFollowed ? 'open elsewhere' : null) : null),
    [history.length, state, next],
  )
  if (next === undefined) {
    return (
      <section class="next-move">
        <h3>Where it stands, and what comes next</h3>
        {[...(why?.because ?? []), ...(why?.next ?? [])].map((sentence) => (
          <p key={sentence}>
            <Words text={sentence} />
          </p>
        ))}
      </section>
    )
  }
  const decided = isSessionEvent(next) && next.type === 'workflow.decided' ? next.entry : null
  return (
    <section class="next-move">
      <h3>
        Next step <SeqLink seq={next.seq} view="state" />
      </h3>
      <p>
        <code>{next.type}</code> {decided === null ? eventWords(next) : plain(decided.kind)}
      </p>
      {decided !== null && (
        <p>
          Why: <Words text={decided.summary} />
        </p>
      )}
      {decided?.evidenceProvenance?.map(({ summary, status }, index) => (
        <p class="quiet" key={index}>
          {status}: <Words text={summary} />
        </p>
      ))}
    </section>
  )
}

function StateFacts({ state, before }: { state: SessionState; before: SessionState | null }) {
  const { turn } = state
  const evidence = useMemo(() => evidenceReading(state), [state])
  const rows: readonly (readonly [name: string, value: string, isNew: boolean])[] = [
    ['phase', turn === null ? 'at rest' : turn.phase, turn?.phase !== before?.turn?.phase],
    ['mode', state.mode, state.mode !== before?.mode],
    ['claim', `${state.epoch}`, state.epoch !== before?.epoch],
    ['window', `${counted(state.messages.length, 'message')}`, state.messages !== before?.messages],
    ['request', requestWords(state), turn?.request !== before?.turn?.request],
    ['calls', callWords(state), turn?.calls !== before?.turn?.calls],
    [
      'question',
      turn?.question == null || turn.question.answer !== undefined ? '' : 'open',
      turn?.question !== before?.turn?.question,
    ],
    ['waiting', state.queue.map(({ text }) => shownText(text)).join(' · '), state.queue !== before?.queue],
    [
      'used',
      [usedWords(state.usage), ...(state.childUsage ? [`its agents: ${usedWords(state.childUsage)}`] : [])].join('; '),
      state.usage !== before?.usage || state.childUsage !== before?.childUsage,
    ],
    [
      'files touched',
      state.touchedFiles.map((path) => inProject(path, state)).join(', '),
      state.touchedFiles !== before?.touchedFiles,
    ],
    ['tree', state.workspace?.tree?.id.slice(0, 12) ?? '', state.workspace?.tree !== before?.workspace?.tree],
    [
      'unknown calls',
      state.unknownCalls.map(({ what }) => what).join(', '),
      state.unknownCalls !== before?.unknownCalls,
    ],
    [
      'todos',
      state.todos.map(({ text, status }) => `${status === 'completed' ? '✓' : '·'} ${text}`).join('  '),
      state.todos !== before?.todos,
    ],
    ['spent', spentWords(state), turn?.spent !== before?.turn?.spent],
  ]
  return (
    <>
      <Facts
        facts={rows
          .filter(([, value]) => value !== '')
          .map(([name, value, isNew]) => [name, <span class={isNew ? 'new' : ''}>{inOneLine(value)}</span>] as const)}
      />
      {evidence.criteria.length > 0 && (
        <ul class="state-criteria">
          {evidence.criteria.map(({ id, text, verdict, judgement }) => (
            <li key={id}>
              <Chip word={judgement?.word ?? verdict} /> {inOneLine(text)}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function requestWords({ turn }: SessionState): string {
  const request = turn?.request
  if (request == null) return ''
  const arrived =
    request.status === 'asked' && request.partial !== ''
      ? `, ${counted(request.partial.length, 'character')} so far`
      : ''
  return `${request.purpose}, ${request.status}${arrived}`
}

function callWords({ turn }: SessionState): string {
  return (turn?.calls ?? [])
    .map(({ call, startedEpoch, outcome, permit }) => {
      const how =
        outcome ?? (startedEpoch !== undefined ? 'running' : permit === undefined ? 'not examined' : permit.permit)
      return `${callTitle(call)} (${plain(how)})`
    })
    .join(', ')
}

function usedWords(usage: Totals): string {
  const cost = costText(usage)
  return `${shortCount(usage.inputTokens + usage.outputTokens)} tokens in ${counted(usage.requests, 'request')}${cost === '' || cost === '?' ? '' : `, ${cost}`}`
}

function spentWords({ turn }: SessionState): string {
  if (turn === null) return ''
  return Object.entries(turn.spent)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')
}

/** A path as it is known in the project. */
function inProject(path: string, { project }: SessionState): string {
  const root = project === null ? '' : `${project.root.replace(/\/$/, '')}/`
  return root !== '' && path.startsWith(root) ? path.slice(root.length) : path
}
