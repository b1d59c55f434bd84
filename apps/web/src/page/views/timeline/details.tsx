import { useState } from 'preact/hooks'
import { counted, duration, inOneLine, type TimelineOutput } from '@loader/readings'
import type { TimelineEntry } from '@loader/session-core/coding'
import { go, linkTo } from '../../model/route.ts'
import { plain, toneOf } from '../../model/words.ts'
import { Line } from '../../ui/line.tsx'
import { Chip, Facts, SeqLink, Shape, stay, Time, Words } from '../../ui/parts.tsx'
import { type Bar, decisionTone } from './lanes.ts'

/** What a bar was: its times, how it ended, and of a decision why. */
export function BarDetails({ bar }: { bar: Bar }) {
  const { kind, title, seq, from, to, outcome, span, decision } = bar
  return (
    <section class="details" aria-label="What was chosen">
      <header>
        <h3>{title}</h3>
        {outcome !== null && (
          <Chip word={outcome} tone={bar.parts.at(-1)?.fill === 'idle' ? 'idle' : toneOf(outcome)} />
        )}
      </header>
      <Facts
        facts={[
          ['kind', plain(kind)],
          ['began', <Time at={from} form="full" />],
          ...(to > from ? [['took', duration(to - from)] as const] : []),
          ...(span?.firstWord === undefined ? [] : [['first word after', duration(span.firstWord - from)] as const]),
          ...(span?.room === undefined ? [] : [['room', plain(span.room)] as const]),
          ['event', <SeqLink seq={seq} view="state" />],
          ['see', <SeqLink seq={seq} view={span?.kind === 'check' ? 'truth' : 'conversation'} />],
        ]}
      />
      {span?.cutBy !== undefined && (
        <p class="said tone-warn">
          Its process ended while it ran. <SeqLink seq={span.cutBy} view="recovery" />
        </p>
      )}
      {decision !== null && <Reasons decision={decision} />}
    </section>
  )
}

/** Each step of each agent in a line. */
export function AgentNews({ news }: { news: TimelineOutput['agents'] }) {
  if (news.length === 0) return null
  return (
    <section class="agent-news" aria-label="Agents">
      <h3>Agents</h3>
      {news.map(({ seq, at, text }) => (
        <p key={seq} class="boundary">
          {inOneLine(text)}
          <span class="where">
            <Time at={at} />
            <SeqLink seq={seq} />
          </span>
        </p>
      ))}
    </section>
  )
}

/** Each decision in a line, with its reason. */
export function Decisions({ decisions }: { decisions: readonly TimelineEntry[] }) {
  const [isWhole, setWhole] = useState(false)
  if (decisions.length === 0) return null
  const shown = isWhole ? decisions : decisions.slice(0, firstDecisions)
  return (
    <section class="decisions" aria-label="Decisions">
      <h3>Decisions</h3>
      <ol>
        {shown.map((decision) => (
          <li key={decision.seq}>
            <a
              href={linkTo({ seq: decision.seq, item: `decision ${decision.seq}` })}
              onClick={(event) =>
                stay(event, () => go({ seq: decision.seq, item: `decision ${decision.seq}` }, 'replace'))
              }
            >
              <Time at={decision.at} />
              <span class={`tone-${decisionTone(decision)}`}>
                <Shape tone={decisionTone(decision)} />
              </span>
              <span class="decision-kind">{plain(decision.kind)}</span>
              <span class="decision-words">
                <Line text={decision.summary} />
              </span>
            </a>
          </li>
        ))}
      </ol>
      {shown.length < decisions.length && (
        <button type="button" class="plain" onClick={() => setWhole(true)}>
          {counted(decisions.length - shown.length, 'more decision')}
        </button>
      )}
    </section>
  )
}

const firstDecisions = 40

/** Why the runtime decided so. */
function Reasons({ decision }: { decision: TimelineEntry }) {
  const {
    summary,
    evidenceProvenance = [],
    verificationObservations = [],
    unresolvedQuestions = [],
    signalSummary = [],
  } = decision
  const { routeScore, runnerUpMode, runnerUpScore, reasonCode, evidenceSummary = [] } = decision
  const told = [...evidenceProvenance, ...verificationObservations].map(({ status, summary: text }) => ({
    status,
    text,
  }))
  return (
    <>
      <p class="said">
        <Words text={summary} />
      </p>
      {told.length > 0 && (
        <ul class="reasons">
          {told.map(({ status, text }, index) => (
            <li key={index}>
              <Chip
                word={status}
                tone={Object.hasOwn(reasonTones, status) ? (reasonTones[status] ?? 'idle') : 'idle'}
              />
              <Words text={text} />
            </li>
          ))}
        </ul>
      )}
      {told.length === 0 && evidenceSummary.length > 0 && (
        <p class="quiet">{evidenceSummary.map(inOneLine).join('; ')}</p>
      )}
      {unresolvedQuestions.map((question) => (
        <p key={question}>Open: {inOneLine(question)}</p>
      ))}
      <p class="quiet">
        {[
          inOneLine(reasonCode),
          ...(routeScore === undefined
            ? []
            : [
                `score ${routeScore}${runnerUpMode === undefined ? '' : `, next best ${runnerUpMode} ${runnerUpScore ?? ''}`}`,
              ]),
          ...signalSummary.map(inOneLine),
        ].join(' · ')}
      </p>
    </>
  )
}

const reasonTones = {
  supports: 'good',
  missing: 'warn',
  contradicts: 'bad',
  context: 'idle',
  passed: 'good',
  failed: 'bad',
  stale: 'warn',
} as Readonly<Record<string, 'good' | 'warn' | 'bad' | 'idle'>>
