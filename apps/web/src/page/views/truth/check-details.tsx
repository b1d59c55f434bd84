import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type CheckRunReading, counted, type CriterionLane, duration, inOneLine } from '@loader/readings'
import { shownText } from '@loader/session-core'
import type { Judgement, NameList, TrialFacts } from '@loader/session-core/coding'
import { go } from '../../model/route.ts'
import { plain, toneOf } from '../../model/words.ts'
import { Chip, Facts, Output, SeqLink, Time, Words } from '../../ui/parts.tsx'

/** What a room is, in a few words. */
const rooms: Readonly<Record<string, string>> = {
  now: 'the files as they are now',
  as_is: 'the same, with ignored files and packages as they are',
  before: 'the files before the work',
  canary: 'now, with a test of ours that must fail',
  strict: 'now, with tests and settings as before',
  unsuppressed: 'now, without new suppressions',
  reversed: 'before, with tests and settings as now',
  emptied: 'now, with changed functions emptied',
}

/** The runs of one criterion in order, and all about the one that was chosen. */
export function CheckDetails({ lane, seq }: { lane: CriterionLane; seq: number | null }) {
  const { criterion, checks, runs, stretches } = lane
  const [isWhole, setWhole] = useState(false)
  const chosen = runs.findLast((run) => seq !== null && run.seq <= seq && seq <= (run.endSeq ?? seq)) ?? runs.at(-1)
  const last = stretches.at(-1)
  const [first, end] = shownRuns(runs, chosen, isWhole)
  const table = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    // Within the table alone: the page stays where it is.
    const [box, row] = [table.current, table.current?.querySelector<HTMLElement>('tr.chosen')]
    if (box == null || row == null) return
    const [above, below] = [
      row.offsetTop - 2 * row.offsetHeight,
      row.offsetTop + 2 * row.offsetHeight - box.clientHeight,
    ]
    box.scrollTop = Math.max(below, Math.min(box.scrollTop, above))
  }, [chosen?.seq, criterion.id])
  return (
    <section class="details check-details" aria-label={`The runs of: ${criterion.text}`}>
      <header>
        <h3>{inOneLine(criterion.text)}</h3>
        {last !== undefined && <Chip word={last.word} tone={last.word === 'checking' ? 'live' : toneOf(last.word)} />}
      </header>
      {last?.reasons.map((reason) => (
        <p class="said" key={reason}>
          <Words text={reason} />
        </p>
      ))}
      {criterion.waived !== undefined && (
        <p class="said">
          Waived by {inOneLine(criterion.waived.by)}
          {criterion.waived.reason === undefined ? '' : `: ${inOneLine(criterion.waived.reason)}`}
        </p>
      )}
      <p class="quiet where-from">
        {checks.map(({ command, source }) => `${inOneLine(command)} (from ${inOneLine(source)})`).join(', ')}
        {criterion.source !== undefined && `; the criterion is from ${inOneLine(criterion.source)}`}
      </p>
      {runs.length > 0 && (
        <div class="scroll" tabIndex={0} role="group" aria-label="Runs" ref={table}>
          <table class="runs">
            <thead>
              <tr>
                <th scope="col">Run</th>
                <th scope="col">Room</th>
                <th scope="col">Showed</th>
                <th scope="col">Took</th>
                <th scope="col">At</th>
              </tr>
            </thead>
            <tbody>
              {runs.slice(first, end).map((run) => (
                <RunRow key={run.seq} run={run} isChosen={run === chosen} criterionId={criterion.id} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {end - first < runs.length && (
        <button type="button" class="plain" onClick={() => setWhole(true)}>
          All {runs.length} runs
        </button>
      )}
      {chosen !== undefined && <RunDetails run={chosen} />}
    </section>
  )
}

const mostRuns = 30

/** Of many runs, those around the chosen one. */
function shownRuns(
  runs: readonly CheckRunReading[],
  chosen: CheckRunReading | undefined,
  isWhole: boolean,
): readonly [first: number, end: number] {
  if (isWhole || runs.length <= mostRuns) return [0, runs.length]
  const at = chosen === undefined ? runs.length - 1 : runs.indexOf(chosen)
  const first = Math.min(Math.max(0, at - mostRuns / 2), runs.length - mostRuns)
  return [first, first + mostRuns]
}

function RunRow({ run, isChosen, criterionId }: { run: CheckRunReading; isChosen: boolean; criterionId: string }) {
  const { seq, room, evidence, from, to } = run
  return (
    <tr class={isChosen ? 'chosen' : ''} aria-current={isChosen ? 'true' : undefined}>
      <td>
        <button type="button" class="plain" onClick={() => go({ item: criterionId, seq }, 'replace')}>
          #{seq}
        </button>
      </td>
      <td>
        <strong>{plain(room ?? 'workspace')}</strong>{' '}
        <span class="quiet wide">{Object.hasOwn(rooms, room ?? '') ? rooms[room ?? ''] : ''}</span>
      </td>
      <td>
        <RunOutcome run={run} />
        {evidence?.counts !== undefined && (
          <span class="quiet figure">
            {' '}
            {evidence.counts.passed} green, {evidence.counts.failed} red
          </span>
        )}
      </td>
      <td class="figure">{evidence?.kept === true ? 'kept' : to === null ? '…' : duration(to - from)}</td>
      <td>
        <Time at={from} />
      </td>
    </tr>
  )
}

/** Red in a room where red was wanted, such as before the work, is no failure. */
function RunOutcome({ run: { evidence, isCutOff, room } }: { run: CheckRunReading }) {
  if (isCutOff) return <Chip word="cut off" tone="warn" />
  if (evidence === null) return <Chip word="running" />
  if (evidence.notShown !== undefined) return <Chip word={`nothing: ${evidence.notShown}`} tone="idle" />
  const isGreen = evidence.outcome === 'passed'
  const isItself = room === null || room === 'now'
  return (
    <Chip
      word={isGreen ? 'green' : evidence.outcome === 'failed' ? 'red' : evidence.outcome}
      tone={isGreen ? 'good' : isItself ? 'bad' : 'idle'}
    />
  )
}

function RunDetails({ run }: { run: CheckRunReading }) {
  const { evidence, command, seq } = run
  if (evidence === null) {
    return (
      <p class="quiet">{run.isCutOff ? 'Its process ended before it did; it showed nothing.' : 'It is running.'}</p>
    )
  }
  const { exitCode, signal, output, tree, before, judgement, trial, again, asNow } = evidence
  return (
    <div class="run-details">
      <Facts
        facts={[
          ['command', <code>{inOneLine(command)}</code>],
          ['ended with', exitCode === null ? (signal ?? 'no exit code') : `exit code ${exitCode}`],
          ['on the tree', tree === undefined ? 'not known' : <code>{tree.slice(0, 12)}</code>],
          ...(before === undefined ? [] : [['compared with', <code>{before.slice(0, 12)}</code>] as const]),
          ...(again === undefined
            ? []
            : [
                [
                  'once more for',
                  again.map((name) => (name === '' ? 'the check as a whole' : inOneLine(name))).join(', '),
                ] as const,
              ]),
          ...(asNow === undefined ? [] : [['as they are now', asNow.map(inOneLine).join(', ')] as const]),
          ['event', <SeqLink seq={seq} view="state" />],
        ]}
      />
      {judgement !== undefined && <JudgementFacts judgement={judgement} />}
      {trial !== undefined && <Changes trial={trial} />}
      <h4>Output</h4>
      {shownText(output).trim() === '' ? (
        <p class="quiet">It printed nothing.</p>
      ) : (
        <Output text={shownText(output)} name={`Output of ${command}`} most={40} />
      )}
    </div>
  )
}

/** What a judgement names: what decided, and what it rests on. */
function JudgementFacts({ judgement }: { judgement: Judgement }) {
  const { tests, files, packages, calls, flaky, oldFailures, unaccepted, leftOut } = judgement
  const lists: readonly (readonly [name: string, list: NameList | undefined])[] = [
    ['decided by', tests],
    [judgement.word === 'rests_on' ? 'rests on' : 'files', files],
    ['packages', packages],
    ['calls', calls],
    ['flaky', flaky],
    ['failed before as well', oldFailures],
    ['still unaccepted', unaccepted],
    ['not tried', leftOut],
  ]
  const facts = lists.flatMap(([name, list]) => (list === undefined ? [] : [[name, namesIn(list)] as const]))
  return facts.length === 0 ? null : <Facts facts={facts} />
}

function namesIn({ count, names }: NameList): string {
  const shown = names.map((name) => (name === '' ? 'the check as a whole' : inOneLine(name))).join(', ')
  return names.length < count ? `${shown} and ${counted(count - names.length, 'more', 'more')}` : shown
}

/** What differs between the files before the work and those now, as the check sees them. */
function Changes({ trial: { changed } }: { trial: TrialFacts }) {
  const facts = (
    [
      ['product files', changed.product],
      ['tests and settings', changed.aside],
      ['ignored files', changed.ignored],
      ['with new suppressions', changed.suppressed],
    ] as const
  ).flatMap(([name, paths]) =>
    paths.length === 0 ? [] : [[name, paths.slice(0, 12).map(inOneLine).join(', ')] as const],
  )
  return facts.length === 0 ? null : (
    <>
      <h4>Changed since before the work</h4>
      <Facts facts={facts} />
    </>
  )
}
