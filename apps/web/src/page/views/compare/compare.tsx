import { useEffect, useMemo, useState } from 'preact/hooks'
import {
  type ComparedEntries,
  comparisonOf,
  counted,
  type DifferentPart,
  inOneLine,
  inText,
  shortCount,
  type ShowEntry,
  textDifference,
  usageNow,
} from '@loader/readings'
import { type SessionState, summarize, usageWithChildren } from '@loader/session-core'
import type { Source } from '../../connection/source.ts'
import { type Followed, followSession } from '../../model/follow.ts'
import { useKeys } from '../../model/keys.ts'
import { go, linkTo, route } from '../../model/route.ts'
import type { OpenSession } from '../../model/session.ts'
import { plain } from '../../model/words.ts'
import { LazyList } from '../../ui/lazy-list.tsx'
import { Failed, SeqLink, stay } from '../../ui/parts.tsx'
import { BackgroundRow, ChildRow, GapRow, MovedRow, TurnEndRow } from '../conversation/boundaries.tsx'
import { MessageRow } from '../conversation/message.tsx'
import { OtherSession } from './other-session.tsx'

/** Two sessions side by side, from their first difference on. */
export function CompareView({ session, source }: { session: OpenSession; source: Source }) {
  const { item } = route.value
  if (item === null) return <OtherSession session={session} source={source} />
  return <Beside key={item} session={session} other={item} source={source} />
}

function Beside({ session, other, source }: { session: OpenSession; other: string; source: Source }) {
  const [followed, setFollowed] = useState<Followed | null>(null)
  useEffect(() => {
    const begun = followSession(source, other)
    setFollowed(begun)
    return begun.stop
  }, [source, other])
  const failure = followed?.failure.value ?? null
  const state = followed?.session.state.value ?? null
  if (failure !== null && state === null)
    return (
      <>
        <Failed title="The other session cannot be shown." why={failure} />
        <ToChoice />
      </>
    )
  if (followed === null || state === null || !followed.session.isWhole.value)
    return <p class="loading">Reading the other session…</p>
  return <Compared left={session} right={followed.session} />
}

function Compared({ left, right }: { left: OpenSession; right: OpenSession }) {
  const [isWhole, setWhole] = useState(false)
  const [one, other] = [left.revision.value, right.revision.value]
  const { common, rows } = useMemo(() => comparisonOf(left, right), [left, right, one, other])
  const [leftState, rightState] = [left.state.value, right.state.value]
  const move = (by: 1 | -1) => moveToDifference(rows, by)
  useKeys([
    { keys: ['j', 'n'], group: 'Compare', says: 'Next difference', run: () => move(1) },
    { keys: ['k', 'N'], group: 'Compare', says: 'Difference before', run: () => move(-1) },
    {
      keys: ['c'],
      group: 'Compare',
      says: 'Another session to compare with',
      run: () => go({ view: 'compare', item: null }),
    },
    {
      keys: ['w'],
      group: 'Compare',
      says: 'The other one in full',
      run: () => go({ session: right.id, item: left.id }),
    },
  ])
  if (leftState === null || rightState === null) return null
  const differing = rows.filter(({ differs }) => differs !== null).length
  return (
    <div class="compare">
      <p class="lead" role="status">
        {rows.length === 0
          ? `Nothing differs in ${counted(common.length, 'entry', 'entries')}.`
          : common.length === 0
            ? `They differ from the first entry on; ${differing} of ${rows.length} places differ.`
            : `The same for ${counted(common.length, 'entry', 'entries')}; from there on ${differing} of ${rows.length} places differ.`}
      </p>
      <Figures left={leftState} right={rightState} />
      {common.length > 0 && (
        <details class="compare-common" open={isWhole} onToggle={(event) => setWhole(event.currentTarget.open)}>
          <summary>{counted(common.length, 'entry', 'entries')} that both begin with</summary>
          {isWhole && (
            <LazyList
              items={common}
              keyOf={(entry) => `${entry.kind} ${entry.seq}`}
              guess={() => 120}
              wanted={null}
              render={(entry) => <Entry entry={entry} />}
            />
          )}
        </details>
      )}
      {rows.length > 0 && (
        <div class="compare-heads" aria-hidden="true">
          <span>This one: {inOneLine(summarize(leftState).title)}</span>
          <span>The other: {inOneLine(summarize(rightState).title)}</span>
        </div>
      )}
      <LazyList
        items={rows}
        keyOf={({ left: mine, right: its }) => `${mine?.kind} ${mine?.seq} ${its?.kind} ${its?.seq}`}
        guess={() => 240}
        wanted={null}
        render={(row, index) => <Pair row={row} isFirst={index === 0} ids={[left.id, right.id]} />}
      />
      <ToChoice />
    </div>
  )
}

function ToChoice() {
  return (
    <p class="compare-again">
      <a
        href={linkTo({ view: 'compare', item: null })}
        onClick={(event) => stay(event, () => go({ view: 'compare', item: null }))}
      >
        Compare with another session
      </a>
    </p>
  )
}

/** What one can see without reading: where each stands, and what it took. */
function Figures({ left, right }: { left: SessionState; right: SessionState }) {
  return (
    <div class="scroll">
      <table class="compare-figures">
        <thead>
          <tr>
            <th scope="col">
              <span class="hidden">What</span>
            </th>
            <th scope="col">
              <span class="compare-which">this one</span>
              {inOneLine(summarize(left).title)}
            </th>
            <th scope="col">
              <span class="compare-which">the other</span>
              <a
                href={linkTo({ session: right.id, view: 'conversation' })}
                onClick={(event) => stay(event, () => go({ session: right.id, view: 'conversation' }))}
              >
                {inOneLine(summarize(right).title)}
              </a>
            </th>
          </tr>
        </thead>
        <tbody>
          {figures.map(([name, read]) => {
            const [one, other] = [read(left), read(right)]
            return (
              <tr key={name} class={one === other ? 'quiet' : 'differs'}>
                <th scope="row">{name}</th>
                <td>{one}</td>
                <td>{other}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

const figures: readonly (readonly [string, (state: SessionState) => string])[] = [
  ['verdict', ({ lastTurn }) => plain(lastTurn?.judgement?.word ?? lastTurn?.verdict ?? 'none')],
  ['model', ({ policy }) => inOneLine(policy?.model?.model ?? 'none yet')],
  ['turns', ({ usage }) => `${usage.turns}`],
  ['requests', (state) => `${usageWithChildren(state).requests}`],
  ['calls', (state) => `${usageWithChildren(state).toolCalls}`],
  ['tokens', (state) => shortCount(usageNow(state).session.tokens)],
  ['cost', (state) => costWords(usageNow(state).session.cost)],
  ['files changed', ({ touchedFiles }) => `${touchedFiles.length}`],
]

function costWords(cost: string): string {
  return cost === '?' ? 'not known' : cost || 'none'
}

const marks: Readonly<Record<DifferentPart, string>> = {
  entry: 'another step',
  words: 'other words',
  thinking: 'other thoughts',
  files: 'other files with it',
  calls: 'more calls or fewer',
  call: 'another call',
  permit: 'another permission',
  result: 'another result',
  end: 'another end',
}

function Pair({ row, isFirst, ids }: { row: ComparedEntries; isFirst: boolean; ids: readonly [string, string] }) {
  const { left, right, differs } = row
  const what = differs === null ? 'The same' : left === null || right === null ? 'in one of them alone' : marks[differs]
  return (
    <section
      class={`pair ${differs === null ? 'same' : 'differs'} ${isFirst ? 'first' : ''}`}
      aria-label={isFirst ? `First difference: ${what}` : what}
      tabIndex={differs === null ? undefined : -1}
    >
      {isFirst && (
        <p class="first-difference">
          <strong>First difference</strong> {what}
        </p>
      )}
      {!isFirst && differs !== null && <p class="pair-mark quiet">{what}</p>}
      {differs === 'words' && left?.kind === 'message' && right?.kind === 'message' ? (
        <Words left={left.text} right={right.text} seqs={[left.seq, right.seq]} ids={ids} />
      ) : differs === null && left !== null ? (
        <Entry entry={left} />
      ) : (
        <div class="pair-sides">
          <Side entry={left} />
          <Side entry={right} />
        </div>
      )}
    </section>
  )
}

/** Two texts of which a part differs: that part is marked. */
function Words({
  left,
  right,
  seqs,
  ids,
}: {
  left: string
  right: string
  seqs: readonly [number, number]
  ids: readonly [string, string]
}) {
  const parts = useMemo(() => textDifference(inText(left), inText(right)), [left, right])
  return (
    <div class="pair-sides">
      {([parts.left, parts.right] as const).map((own, index) => (
        <div class="pair-side" key={index}>
          <p class="pair-text">
            {parts.start}
            {own === '' ? <span class="quiet"> (nothing here) </span> : <mark>{own}</mark>}
            {parts.end}
          </p>
          <p class="where">
            {index === 0 ? (
              <SeqLink seq={seqs[0]} />
            ) : (
              <a
                class="seq"
                href={linkTo({ session: ids[1], view: 'conversation', seq: seqs[1] })}
                onClick={(event) => stay(event, () => go({ session: ids[1], view: 'conversation', seq: seqs[1] }))}
              >
                #{seqs[1]}
              </a>
            )}
          </p>
        </div>
      ))}
    </div>
  )
}

function Side({ entry }: { entry: ShowEntry | null }) {
  return (
    <div class="pair-side">
      {entry === null ? <p class="quiet pair-none">nothing here</p> : <Entry entry={entry} />}
    </div>
  )
}

const noSpans = new Map()

function Entry({ entry }: { entry: ShowEntry }) {
  switch (entry.kind) {
    case 'message':
      return <MessageRow message={entry} spans={noSpans} isChosen={false} />
    case 'turn_end':
      return <TurnEndRow end={entry} />
    case 'gap':
      return <GapRow gap={entry} />
    case 'child':
      return <ChildRow entry={entry} hasLink />
    case 'background':
    case 'hook':
      return <BackgroundRow entry={entry} />
    case 'moved':
      return <MovedRow entry={entry} />
    default:
      return entry satisfies never
  }
}

/** Puts the focus on the next place that differs, from the one that has it or from where the screen begins. */
function moveToDifference(rows: readonly ComparedEntries[], by: 1 | -1): void {
  if (rows.length === 0) return
  const places = [...document.querySelectorAll<HTMLElement>('.pair.differs')]
  const now = places.findIndex((place) => place.contains(document.activeElement))
  const top = places.findIndex((place) => place.getBoundingClientRect().top > 60)
  const next = now >= 0 ? now + by : by > 0 ? top : top - 1
  const place = places[Math.min(places.length - 1, Math.max(0, next))]
  place?.focus({ preventScroll: true })
  place?.scrollIntoView({ block: 'start' })
}
