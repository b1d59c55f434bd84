import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { compactionsOf, conversationOf, courseOf, inOneLine, recoveryReading, type Span } from '@loader/readings'
import { shownText } from '@loader/session-core'
import type { Source } from '../../connection/source.ts'
import { useKeys } from '../../model/keys.ts'
import { go, route } from '../../model/route.ts'
import type { OpenSession } from '../../model/session.ts'
import { Boundary } from '../../ui/boundary.tsx'
import { LazyList } from '../../ui/lazy-list.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { Empty } from '../../ui/parts.tsx'
import {
  BackgroundRow,
  ChildRow,
  ClaimRow,
  CompactionRow,
  GapRow,
  MarkRow,
  MovedRow,
  TurnEndRow,
} from './boundaries.tsx'
import { FindBar } from './find-bar.tsx'
import { MessageRow } from './message.tsx'
import { conversationRows, type Row, rowAt, textOfRow } from './rows.ts'

/** If the page is scrolled this near to its end, it stays at the end while more arrives. In pixels. */
const nearEnd = 120

/** What was said and done, with everything that interrupted it. */
export function Conversation({ session, source }: { session: OpenSession; source: Source }) {
  const { value: entries } = session.reading(conversationOf)
  const { value: claims } = session.reading(recoveryReading)
  const { value: course } = session.reading(courseOf)
  const { value: compactions } = session.reading(compactionsOf)
  const { seq } = route.value
  const rows = useMemo(
    () => conversationRows(entries, claims, compactions, course.marks),
    [entries, claims, compactions, course],
  )
  const spans = useMemo(() => callSpans(course.spans), [course])
  const chosen = seq === null ? null : rowAt(rows, seq)
  const place = useRef<HTMLDivElement>(null)
  const sought = useSignal<string | null>(null)
  const found = useMemo(() => matchesIn(rows, sought.value), [rows, sought.value])

  const move = (by: number) => {
    const next = Math.min(rows.length - 1, Math.max(0, (chosen ?? (by > 0 ? -1 : rows.length)) + by))
    const row = rows[next]
    if (row !== undefined) go({ seq: row.seq }, 'replace')
  }
  const moveTo = (isOne: (row: Row) => boolean, by: 1 | -1) => {
    for (let at = (chosen ?? (by > 0 ? -1 : rows.length)) + by; at >= 0 && at < rows.length; at += by) {
      const row = rows[at]
      if (row === undefined || !isOne(row)) continue
      go({ seq: row.seq }, 'replace')
      return
    }
  }
  useKeys([
    { keys: ['j'], group: 'Conversation', says: 'Next entry', run: () => move(1) },
    { keys: ['k'], group: 'Conversation', says: 'Entry before', run: () => move(-1) },
    { keys: [']'], group: 'Conversation', says: 'Next turn', run: () => moveTo(isInput, 1) },
    { keys: ['['], group: 'Conversation', says: 'Turn before', run: () => moveTo(isInput, -1) },
    { keys: ['x'], group: 'Conversation', says: 'Next place where it was cut off', run: () => moveTo(isCut, 1) },
    { keys: ['/'], group: 'Conversation', says: 'Find in this session', run: () => (sought.value ??= '') },
    { keys: ['n'], group: 'Conversation', says: 'Next find', run: () => nextFound(rows, found, chosen, 1) },
    { keys: ['N'], group: 'Conversation', says: 'Find before', run: () => nextFound(rows, found, chosen, -1) },
    {
      keys: ['o', 'Enter'],
      group: 'Conversation',
      says: 'Open or close what the entry holds',
      run: () => toggle(place.current, chosen),
    },
    { keys: ['G', 'End'], group: 'Conversation', says: 'To the end', run: () => toEnd() },
  ])
  useScrollTo(place, chosen, seq)
  useStayAtEnd(session, chosen)

  return (
    <div class="conversation" ref={place}>
      {sought.value !== null && (
        <FindBar
          text={sought.value}
          found={found.length}
          onText={(text) => (sought.value = text)}
          onMove={(by) => nextFound(rows, found, chosen, by)}
          onClose={() => (sought.value = null)}
        />
      )}
      {rows.length === 0 && <Empty title="Nothing has been said yet." />}
      <LazyList
        items={rows}
        keyOf={(row) => `${row.kind} ${row.seq}`}
        guess={guessHeight}
        wanted={chosen}
        render={(row, index) => (
          <div class={index === chosen ? 'row chosen' : 'row'} data-index={index} data-seq={row.seq}>
            <Boundary>
              <AnyRow row={row} spans={spans} isChosen={index === chosen} hasOthers={source.kind === 'server'} />
            </Boundary>
          </div>
        )}
      />
      <Arriving session={session} />
    </div>
  )
}

interface RowProps {
  readonly row: Row
  readonly spans: ReadonlyMap<string, Span>
  readonly isChosen: boolean
  /** Whether there are other sessions to lead to. */
  readonly hasOthers: boolean
}

function AnyRow({ row, spans, isChosen, hasOthers }: RowProps) {
  switch (row.kind) {
    case 'entry':
      switch (row.entry.kind) {
        case 'message':
          return <MessageRow message={row.entry} spans={spans} isChosen={isChosen} />
        case 'turn_end':
          return <TurnEndRow end={row.entry} />
        case 'gap':
          return <GapRow gap={row.entry} />
        case 'child':
          return <ChildRow entry={row.entry} hasLink={hasOthers} />
        case 'background':
        case 'hook':
          return <BackgroundRow entry={row.entry} />
        case 'moved':
          return <MovedRow entry={row.entry} />
        default:
          return row.entry satisfies never
      }
    case 'claim':
      return <ClaimRow ended={row.ended} next={row.next} />
    case 'compaction':
      return <CompactionRow compaction={row.compaction} />
    case 'mark':
      return <MarkRow mark={row.mark} />
    default:
      return row satisfies never
  }
}

/** The answer that is on its way, and what waits for its turn. */
function Arriving({ session }: { session: OpenSession }) {
  const parts = useComputed(() => {
    const { turn, queue } = session.state.value ?? { turn: null, queue: [] }
    const isAsked = turn?.request?.status === 'asked'
    return {
      text: isAsked ? turn.request.partial : '',
      reasoning: isAsked ? turn.request.partialReasoning : '',
      isAsked,
      waiting: [...(turn?.pending ? [turn.pending] : []), ...queue],
    }
  })
  const { text, reasoning, isAsked, waiting } = parts.value
  const isLive = session.isFollowed
  return (
    <>
      {isAsked && (
        <article class="message by-model arriving" aria-busy={isLive}>
          <header>
            <span class="who">Model</span>
            <span class="quiet">
              {isLive ? (text === '' ? 'waiting for the first word' : 'writing') : 'was writing when this was read'}
            </span>
          </header>
          {reasoning !== '' && (
            <details class="thinking">
              <summary>Thinking</summary>
              <Markdown text={reasoning} />
            </details>
          )}
          <Markdown text={text} />
        </article>
      )}
      {waiting.map(({ inputId, text: said }) => (
        <article class="message by-user waiting" key={inputId}>
          <header>
            <span class="who">You</span>
            <span class="quiet">waits for its turn</span>
          </header>
          <Markdown text={shownText(said)} />
        </article>
      ))}
    </>
  )
}

function callSpans(spans: readonly Span[]): ReadonlyMap<string, Span> {
  return new Map(spans.flatMap((span) => (span.kind === 'call' ? [[span.id, span] as const] : [])))
}

function isInput(row: Row): boolean {
  return row.kind === 'entry' && row.entry.kind === 'message' && row.entry.origin === 'input'
}

function isCut(row: Row): boolean {
  if (row.kind === 'claim') return row.ended.ended === 'cut_off'
  return row.kind === 'entry' && (row.entry.kind === 'gap' || (row.entry.kind === 'message' && row.entry.interrupted))
}

function matchesIn(rows: readonly Row[], sought: string | null): number[] {
  const wanted = inOneLine(sought ?? '').toLowerCase()
  if (wanted === '') return []
  return rows.flatMap((row, index) => (textOfRow(row).toLowerCase().includes(wanted) ? [index] : []))
}

function nextFound(rows: readonly Row[], found: readonly number[], chosen: number | null, by: 1 | -1): void {
  const at = chosen ?? -1
  const next =
    by > 0 ? (found.find((index) => index > at) ?? found[0]) : (found.findLast((index) => index < at) ?? found.at(-1))
  const row = next === undefined ? undefined : rows[next]
  if (row !== undefined) go({ seq: row.seq }, 'replace')
}

/** Opens what is closed in an entry, or closes all of it. */
function toggle(place: HTMLElement | null, chosen: number | null): void {
  const parts = [...(place?.querySelectorAll<HTMLDetailsElement>(`[data-index="${chosen}"] details`) ?? [])]
  const isOpen = parts.every((part) => part.open)
  for (const part of parts) part.open = !isOpen
}

function toEnd(): void {
  go({ seq: null }, 'replace')
  scrollTo({ top: document.documentElement.scrollHeight })
}

/** Scrolls to the chosen entry. Boxes above it get their true heights as they appear, so it is looked at once more. */
function useScrollTo(place: { readonly current: HTMLElement | null }, chosen: number | null, seq: number | null): void {
  useEffect(() => {
    if (chosen === null) return undefined
    let left = 4
    let frame = 0
    const look = () => {
      const row = place.current?.querySelector(`[data-index="${chosen}"]`)
      row?.scrollIntoView({ block: isHigh(row) ? 'start' : 'center' })
      left -= 1
      if (left > 0) frame = requestAnimationFrame(look)
    }
    look()
    return () => cancelAnimationFrame(frame)
  }, [chosen, seq])
}

function isHigh(row: Element): boolean {
  return row.getBoundingClientRect().height > innerHeight * 0.6
}

/** If the page is scrolled to the end, it stays there while more arrives. */
function useStayAtEnd(session: OpenSession, chosen: number | null): void {
  const isAtEnd = useRef(false)
  useEffect(() => {
    const onScroll = () => {
      const { scrollHeight } = document.documentElement
      isAtEnd.current = scrollHeight - scrollY - innerHeight < nearEnd
    }
    onScroll()
    addEventListener('scroll', onScroll, { passive: true })
    return () => removeEventListener('scroll', onScroll)
  }, [])
  const { value: state } = session.state
  useEffect(() => {
    if (chosen === null && isAtEnd.current && session.isFollowed)
      scrollTo({ top: document.documentElement.scrollHeight })
  }, [state, chosen])
}

function guessHeight(row: Row): number {
  if (row.kind !== 'entry') return 64
  if (row.entry.kind !== 'message') return 72
  const { text, calls } = row.entry
  return 56 + Math.ceil(text.length / 90) * 24 + calls.length * 46
}
