import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import {
  type Activity,
  counted,
  fullTime,
  inOneLine,
  type ListedSession,
  relativeTime,
  shortCount,
} from '@loader/readings'
import type { SessionRow } from '@loader/session-core'
import type { Hello, ListAnswer, ListRequest, WaitsFor } from '../../../protocol.ts'
import type { Connection } from '../../connection/connection.ts'
import type { Source } from '../../connection/source.ts'
import { useKeys } from '../../model/keys.ts'
import { go, writeRoute } from '../../model/route.ts'
import { plain } from '../../model/words.ts'
import { ConnectionLine } from '../../ui/connection-line.tsx'
import { Line } from '../../ui/line.tsx'
import { Chip, Empty, Failed, stay } from '../../ui/parts.tsx'
import { NewSession } from './new-session.tsx'

type Verdict = NonNullable<SessionRow['verdict']>

const verdicts: readonly Verdict[] = ['verified', 'waived', 'present', 'stale', 'unverified', 'failed']
const activities: readonly Activity[] = ['running', 'cut_off', 'open', 'resting', 'damaged']
const searchAfterMs = 250

/** All sessions, newest first, as they are right now. */
export function SessionsView({ source, hello }: { source: Source; hello: Hello | null }) {
  const wish = useSignal<ListRequest>({})
  const list = useSignal<ListAnswer | null>(null)
  const failure = useSignal<string | null>(null)
  const connection = useSignal<Connection | null>(null)
  const chosen = useSignal(-1)
  const search = useRef<HTMLInputElement>(null)
  const place = useRef<HTMLOListElement>(null)
  useFollowedList(source, wish.value, { list, failure, connection })
  const isNew = useSignal(false)
  const isActing = hello?.readOnly === false
  const rows = list.value?.sessions ?? []
  const waiting = list.value?.waiting ?? {}
  const waits = Object.keys(waiting).length
  useEffect(() => {
    document.title = `${waits > 0 ? `● ${waits} ${waits === 1 ? 'waits' : 'wait'} for you: ` : ''}Sessions · Loader`
  }, [waits])
  const move = (by: number) => {
    chosen.value = Math.min(rows.length - 1, Math.max(0, chosen.value + by))
    place.current?.querySelectorAll('a')[chosen.value]?.focus()
  }
  useKeys([
    { keys: ['j', 'ArrowDown'], group: 'Sessions', says: 'Next session', run: () => move(1) },
    { keys: ['k', 'ArrowUp'], group: 'Sessions', says: 'Session before', run: () => move(-1) },
    { keys: ['/'], group: 'Sessions', says: 'Search in what was said', run: () => search.current?.focus() },
    { keys: ['c'], group: 'Sessions', says: 'New session', run: () => (isNew.value = isActing) },
    {
      keys: ['w'],
      group: 'Sessions',
      says: 'To the fleet, where there is one',
      run: () => hello?.fleet === true && go({ list: 'fleet' }),
    },
  ])
  const isFiltered = Object.values(wish.value).some((value) => value !== undefined)
  return (
    <div class="sessions">
      <header class="sessions-header">
        <h1>Sessions</h1>
        {hello !== null && (
          <p class="quiet path">
            {inOneLine(hello.store)}
            {hello.readOnly && ' · read-only'}
          </p>
        )}
        <p class="sessions-links">
          {hello?.fleet === true && (
            <a
              href={writeRoute(fleet)}
              onClick={(event) => stay(event, () => go(fleet))}
              title="Workers and what is in line (w)"
            >
              Fleet
            </a>
          )}
          {isActing && (
            <button type="button" class="main" title="New session (c)" onClick={() => (isNew.value = true)}>
              New session
            </button>
          )}
        </p>
      </header>
      <ConnectionLine connection={connection.value} />
      <Filters
        wish={wish.value}
        projects={list.value?.projects ?? []}
        search={search}
        onWish={(change) => {
          chosen.value = -1
          wish.value = withoutEmpty({ ...wish.value, ...change })
        }}
      />
      <main id="main" tabIndex={-1}>
        {failure.value !== null && <Failed title="The sessions cannot be listed." why={failure.value} />}
        {list.value === null && failure.value === null && <p class="loading">Looking for sessions…</p>}
        {list.value !== null && rows.length === 0 && (
          <Empty title={isFiltered ? 'No session fits.' : 'There are no sessions yet.'}>
            {isFiltered
              ? 'Take a filter away, or search for other words.'
              : isActing
                ? 'Begin one here, or in a project: loader "what to do"'
                : 'Begin one in a project: loader "what to do"'}
          </Empty>
        )}
        <ol class="session-list" ref={place}>
          {rows.map((row) => (
            <Row
              key={row.id}
              row={row}
              now={Date.now()}
              waits={Object.hasOwn(waiting, row.id) ? waiting[row.id] : undefined}
            />
          ))}
        </ol>
        {list.value?.total != null && list.value.total > rows.length && (
          <p class="quiet">
            {counted(list.value.total, 'session')} in all; the first {rows.length} are shown. Search, or filter, to see
            others.
          </p>
        )}
        {list.value?.unreadable.map(({ root, reason }) => (
          <p class="boundary tone-warn" key={root}>
            {inOneLine(root)} cannot be listed: {inOneLine(reason)}
          </p>
        ))}
      </main>
      {isNew.value && hello !== null && (
        <NewSession hello={hello} projects={list.value?.projects ?? []} onClose={() => (isNew.value = false)} />
      )}
    </div>
  )
}

const fleet = { session: null, list: 'fleet', view: 'conversation', seq: null, item: null } as const

const waitWords: Readonly<Record<WaitsFor, string>> = {
  permit: 'Whether a call may run',
  plan: 'Whether to carry out its plan',
  question: 'It asks something',
}

type Wishes = { readonly [Key in keyof ListRequest]?: ListRequest[Key] | undefined }

/** What is not wished for is not asked for. */
function withoutEmpty(wishes: Wishes): ListRequest {
  return Object.fromEntries(Object.entries(wishes).filter(([, value]) => value !== undefined))
}

interface FiltersProps {
  readonly wish: ListRequest
  readonly projects: readonly string[]
  readonly search: { readonly current: HTMLInputElement | null }
  readonly onWish: (change: Wishes) => void
}

function Filters({ wish, projects, search, onWish }: FiltersProps) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <div class="field search">
        <label for="search">Search in what was said</label>
        <input
          id="search"
          ref={search}
          type="search"
          autocomplete="off"
          placeholder="Search  /"
          onInput={(event) => {
            const { value } = event.currentTarget
            clearTimeout(timer.current)
            timer.current = setTimeout(() => onWish({ search: value.trim() === '' ? undefined : value }), searchAfterMs)
          }}
        />
      </div>
      <Choice label="Verdict" value={wish.verdict} options={verdicts} onChoice={(verdict) => onWish({ verdict })} />
      <Choice
        label="What goes on"
        value={wish.activity}
        options={activities}
        onChoice={(activity) => onWish({ activity })}
      />
      {projects.length > 1 && (
        <Choice label="Project" value={wish.project} options={projects} onChoice={(project) => onWish({ project })} />
      )}
    </form>
  )
}

interface ChoiceProps<Value extends string> {
  readonly label: string
  readonly value: Value | undefined
  readonly options: readonly Value[]
  readonly onChoice: (value: Value | undefined) => void
}

function Choice<Value extends string>({ label, value, options, onChoice }: ChoiceProps<Value>) {
  return (
    <div class="field">
      <label for={`filter-${label}`}>{label}</label>
      <select
        id={`filter-${label}`}
        value={value ?? ''}
        onChange={(event) => onChoice(options.find((one) => one === event.currentTarget.value))}
      >
        <option value="">any</option>
        {options.map((one) => (
          <option key={one} value={one}>
            {label === 'Project' ? one : plain(one)}
          </option>
        ))}
      </select>
    </div>
  )
}

function Row({ row, now, waits }: { row: ListedSession; now: number; waits: WaitsFor | undefined }) {
  const {
    id,
    title,
    activity,
    verdict,
    lastExcerpt,
    root,
    gone,
    updatedAt,
    turns,
    inputTokens,
    outputTokens,
    pendingInputs,
    matches = [],
    forkedFrom,
  } = row
  const to = { session: id, list: 'sessions', view: 'conversation', seq: null, item: null } as const
  return (
    <li>
      <a class="session-row" href={writeRoute(to)} onClick={(event) => stay(event, () => go(to))}>
        <span class="session-row-title">
          <Line text={title} />
        </span>
        <span class="session-row-chips">
          {waits !== undefined && <Chip word="waits for you" tone="warn" says={waitWords[waits]} />}
          {activity !== undefined && activity !== 'resting' && waits === undefined && <Chip word={activity} />}
          {verdict !== null && <Chip word={verdict} />}
          {row.status === 'damaged' && activity !== 'damaged' && <Chip word="damaged" />}
        </span>
        <span class="session-row-words">
          <Line text={lastExcerpt} />
        </span>
        <span class="session-row-facts quiet">
          <time dateTime={updatedAt} title={fullTime(updatedAt)}>
            {relativeTime(updatedAt, now)}
          </time>
          <span>{counted(turns, 'turn')}</span>
          <span class="figure">{shortCount(inputTokens + outputTokens)} tokens</span>
          {pendingInputs > 0 && <span>{counted(pendingInputs, 'message')} waiting</span>}
          {forkedFrom !== null && <span>forked</span>}
          {row.parent !== undefined && <span>agent of {row.parent}</span>}
          <span class="path">
            {inOneLine(root)}
            {gone === true && ' (not there any more)'}
          </span>
        </span>
      </a>
      {matches.length > 0 && (
        <ul class="matches">
          {matches.map(({ seq, role, excerpt, standing }) => {
            const at = { ...to, seq }
            return (
              <li key={seq}>
                <a href={writeRoute(at)} onClick={(event) => stay(event, () => go(at))}>
                  <span class="seq">#{seq}</span>{' '}
                  <span class="quiet">{standing === 'live' ? role : `${role}, ${standing}`}</span> {inOneLine(excerpt)}
                </a>
              </li>
            )
          })}
        </ul>
      )}
    </li>
  )
}

interface Told {
  readonly list: { value: ListAnswer | null }
  readonly failure: { value: string | null }
  readonly connection: { value: Connection | null }
}

/** Follows the list. A search looks into every session, so it is asked once and not followed. */
function useFollowedList(source: Source, wish: ListRequest, { list, failure, connection }: Told): void {
  useEffect(() => {
    let isWanted = true
    failure.value = null
    if (wish.search !== undefined) {
      source.list(wish).then(
        (answer) => isWanted && (list.value = answer),
        (error: unknown) => isWanted && (failure.value = error instanceof Error ? error.message : String(error)),
      )
      return () => {
        isWanted = false
      }
    }
    return source.followList(wish, {
      list: (answer) => (list.value = answer),
      connection(now) {
        connection.value = now
        if (now.phase.kind === 'ended') failure.value = now.phase.message
      },
    })
  }, [source, wish])
}
