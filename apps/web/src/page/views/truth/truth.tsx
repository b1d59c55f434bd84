import { useMemo } from 'preact/hooks'
import {
  courseOf,
  counted,
  type CriterionLane,
  evidenceReading,
  inOneLine,
  truthReading,
  type TruthReading,
  whyReading,
} from '@loader/readings'
import type { SessionState } from '@loader/session-core'
import { scaleOf } from '../../model/course-scale.ts'
import { useKeys } from '../../model/keys.ts'
import { go, route } from '../../model/route.ts'
import type { OpenSession } from '../../model/session.ts'
import type { TimeScale } from '../../model/time-scale.ts'
import { toneOf } from '../../model/words.ts'
import { Chip, Empty, SeqLink, Time, Words } from '../../ui/parts.tsx'
import { CheckDetails } from './check-details.tsx'
import { LaneTrack } from './lane-track.tsx'

/** What had to hold, how it stood at every time, and what shows it. */
export function TruthView({ session }: { session: OpenSession }) {
  const { value: truth } = session.reading(truthReading)
  const { value: course } = session.reading(courseOf)
  const scale = useMemo(() => scaleOf(course), [course])
  const { value: state } = session.state
  const { item, seq } = route.value
  const chosen = chosenLane(truth, item, seq)
  useKeys([
    { keys: ['j'], group: 'Truth', says: 'Next criterion', run: () => choose(truth, chosen, 1) },
    { keys: ['k'], group: 'Truth', says: 'Criterion before', run: () => choose(truth, chosen, -1) },
    { keys: [']', 'ArrowRight'], group: 'Truth', says: 'Next run', run: () => chooseRun(chosen, seq, 1) },
    { keys: ['[', 'ArrowLeft'], group: 'Truth', says: 'Run before', run: () => chooseRun(chosen, seq, -1) },
  ])
  if (state === null) return null
  return (
    <div class="truth">
      <Standing session={session} state={state} />
      {truth.lanes.length === 0 ? (
        <Empty title="Nothing had to hold so far.">
          Criteria come with a task that changes something: from what you say, from the plan, or from the checks of the
          project.
        </Empty>
      ) : (
        <ol class="lanes" aria-label="Criteria over time">
          {truth.lanes.map((lane) => (
            <Lane
              key={lane.criterion.id}
              lane={lane}
              truth={truth}
              scale={scale}
              isChosen={lane === chosen}
              absences={course.absences}
            />
          ))}
        </ol>
      )}
      {truth.lanes.length > 0 && <LaneLegend hasAccepted={truth.accepted.length > 0} />}
      {truth.accepted.map(({ seq: at, by, what }) => (
        <p class="accepted-line" key={at}>
          <Chip word="accepted" /> by {inOneLine(by)}: {what.map(inOneLine).join(', ')}{' '}
          <SeqLink seq={at} view="state" />
        </p>
      ))}
      {chosen !== null && <CheckDetails lane={chosen} seq={seq} />}
    </div>
  )
}

/** Where the whole task stands now, and what is left to do. */
function Standing({ session, state }: { session: OpenSession; state: SessionState }) {
  const { revision, history } = session
  const why = useMemo(
    () => whyReading(history, state, session.isFollowed ? 'open elsewhere' : null),
    [revision.value, state],
  )
  const evidence = useMemo(() => evidenceReading(state, session.texts), [state])
  const word = evidence.judgement?.word ?? evidence.verdict
  return (
    <section class={`standing tone-${toneOf(word)}`}>
      <header>
        {word === null ? <Chip word="nothing to show yet" tone="idle" /> : <Chip word={word} />}
        <p class="task">{inOneLine(evidence.task ?? state.openingWords ?? '')}</p>
      </header>
      <ul>
        {why.because.map((sentence) => (
          <li key={sentence}>
            <Words text={sentence} />
          </li>
        ))}
      </ul>
      {why.next.length > 0 && (
        <div class="next">
          <h3>Next</h3>
          <ul>
            {why.next.map((sentence) => (
              <li key={sentence}>
                <Words text={sentence} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}

interface LaneProps {
  readonly lane: CriterionLane
  readonly truth: TruthReading
  readonly scale: TimeScale
  readonly isChosen: boolean
  readonly absences: Parameters<typeof LaneTrack>[0]['absences']
}

function Lane({ lane, truth, scale, isChosen, absences }: LaneProps) {
  const last = lane.stretches.at(-1)
  const word = last?.word ?? 'not_run'
  const isNow = last !== undefined && last.to === null
  const { criterion, runs } = lane
  return (
    <li class={isChosen ? 'lane chosen' : 'lane'}>
      <button
        type="button"
        class="lane-name"
        aria-pressed={isChosen}
        onClick={() => go({ item: criterion.id, seq: null }, 'replace')}
      >
        <span class="lane-text">{inOneLine(criterion.text)}</span>
        <span class="lane-facts">
          <Chip word={word} tone={word === 'checking' ? 'live' : toneOf(word)} />
          <span class="quiet">
            {isNow ? '' : 'of an earlier turn, '}
            {counted(runs.length, 'run')}
            {last !== undefined && (
              <>
                {' · since '}
                <Time at={last.from} />
              </>
            )}
          </span>
        </span>
      </button>
      <LaneTrack
        lane={lane}
        scale={scale}
        changes={truth.changes}
        accepted={truth.accepted}
        absences={absences}
        onRun={(run) => go({ item: criterion.id, seq: run.seq }, 'replace')}
      />
    </li>
  )
}

function LaneLegend({ hasAccepted }: { hasAccepted: boolean }) {
  return (
    <ul class="legend" aria-label="What the colours say">
      <li class="legend-good">verified</li>
      <li class="legend-kept">held, accepted</li>
      <li class="legend-warn">unverified, rests on</li>
      <li class="legend-stale">stale: files changed since</li>
      <li class="legend-bad">failed</li>
      <li class="legend-live">being checked</li>
      <li class="legend-change">a call may have changed files</li>
      {hasAccepted && <li class="legend-accepted">accepted by you</li>}
    </ul>
  )
}

/** The lane that was chosen; with an event, the one that has a run at it; else the first. */
function chosenLane({ lanes }: TruthReading, item: string | null, seq: number | null): CriterionLane | null {
  const named = lanes.find(({ criterion }) => criterion.id === item)
  const about =
    seq === null
      ? undefined
      : lanes.find(({ runs }) => runs.some((run) => run.seq <= seq && seq <= (run.endSeq ?? seq)))
  return named ?? about ?? lanes[0] ?? null
}

function choose({ lanes }: TruthReading, chosen: CriterionLane | null, by: 1 | -1): void {
  const at = chosen === null ? -1 : lanes.indexOf(chosen)
  const lane = lanes[Math.min(lanes.length - 1, Math.max(0, at + by))]
  if (lane !== undefined) go({ item: lane.criterion.id, seq: null }, 'replace')
}

function chooseRun(lane: CriterionLane | null, seq: number | null, by: 1 | -1): void {
  if (lane === null) return
  const at = seq ?? (by > 0 ? 0 : Number.POSITIVE_INFINITY)
  const run = by > 0 ? lane.runs.find((one) => one.seq > at) : lane.runs.findLast((one) => one.seq < at)
  if (run !== undefined) go({ item: lane.criterion.id, seq: run.seq }, 'replace')
}
