import {
  between,
  type ClaimReading,
  type CompactionReading,
  costText,
  counted,
  gapText,
  inOneLine,
  moveText,
  type Mark,
  shortCount,
  type ShownBackground,
  type ShownChild,
  type ShownGap,
  type ShownTurnEnd,
} from '@loader/readings'
import { go, linkTo } from '../../model/route.ts'
import { plain, type Tone, toneOf } from '../../model/words.ts'
import { Markdown } from '../../ui/markdown.tsx'
import { Chip, SeqLink, SessionLink, stay, Time, Words } from '../../ui/parts.tsx'

/** The end of a turn: how it ended, and what shows it. */
export function TurnEndRow({ end: { turn, at, seq } }: { end: ShownTurnEnd }) {
  const { reason, verdict, judgement, usage, startedAt, finishedAt, summary } = turn
  const word = judgement?.word ?? verdict
  const cost = costText(usage)
  return (
    <section
      class={`turn-end tone-${word === undefined ? reasonTone(reason) : toneOf(word)}`}
      aria-label={`End of a turn, event ${seq}`}
    >
      <div class="turn-end-line">
        {word === undefined ? (
          <Chip word={reason === 'turn_complete' ? 'turn ended' : reason} tone={reasonTone(reason)} />
        ) : (
          <a
            class="of-chip"
            href={linkTo({ view: 'truth', seq })}
            onClick={(event) => stay(event, () => go({ view: 'truth', seq }))}
            title="What shows it"
          >
            <Chip word={word} />
          </a>
        )}
        {word !== undefined && reason !== 'turn_complete' && <span>{plain(reason)}</span>}
        <span class="quiet figure">
          {[
            between(startedAt, finishedAt),
            counted(usage.requests, 'request'),
            `${shortCount(usage.inputTokens + usage.outputTokens)} tokens`,
            ...(cost === '' ? [] : [cost]),
          ].join(' · ')}
        </span>
        <span class="where">
          <Time at={at} />
          <SeqLink seq={seq} view="state" />
        </span>
      </div>
      {summary !== undefined && summary !== '' && (
        <p class="said">
          <Words text={summary} />
        </p>
      )}
    </section>
  )
}

/** To be stopped is no failure. */
function reasonTone(reason: string): Tone {
  if (reason === 'turn_complete') return 'idle'
  return reason === 'interrupted' ? 'warn' : 'bad'
}

/** Where a process ended, and where the next one took the session up. */
export function ClaimRow({ ended, next }: { ended: ClaimReading; next: ClaimReading }) {
  if (ended.ended !== 'cut_off') {
    return (
      <p class="boundary quiet">
        {handoverText(ended, next)}
        <span class="where">
          <Time at={next.at} />
        </span>
      </p>
    )
  }
  return (
    <section class="cut" aria-label="Here it was cut off and taken up again">
      <svg class="cut-line" viewBox="0 0 400 10" preserveAspectRatio="none" aria-hidden="true">
        <path
          d="M0 5H150l6-4 8 8 8-8 8 8 8-8 8 8 8-8 8 8 6-4H400"
          fill="none"
          stroke="currentColor"
          stroke-width="1.4"
          vector-effect="non-scaling-stroke"
        />
      </svg>
      <p>
        <strong>Cut off.</strong> {capital(processWords(ended))} ended with its turn open.{' '}
        {between(ended.last.at, next.at)} later {processWords(next)} took the session up, as claim {next.epoch}.{' '}
        <a
          href={linkTo({ view: 'recovery', seq: next.seq })}
          onClick={(event) => stay(event, () => go({ view: 'recovery', seq: next.seq }))}
        >
          Recovery
        </a>
      </p>
      {ended.cut.length > 0 && (
        <ul>
          {ended.cut.map((cut) => (
            <li key={`${cut.kind} ${cut.id}`}>
              <Chip word={cut.became} />
              <code>{cut.title}</code>
              <span class="quiet">{inOneLine(cut.said)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** From a process that cut nothing off to the next one. */
function handoverText(ended: ClaimReading, next: ClaimReading): string {
  const taken = `taken up by ${processWords(next)}, claim ${next.epoch}`
  switch (ended.ended) {
    case 'waiting':
      return `Left with its question by ${processWords(ended)}; ${between(ended.last.at, next.at)} later ${taken}`
    case 'passed_on':
      return `${ended.last.type === 'question.answered' ? 'Answered' : 'Passed on'} by ${processWords(ended)}; ${taken}`
    default:
      return capital(taken)
  }
}

function processWords({ owner: { host, pid } }: ClaimReading): string {
  return [
    ...(pid === undefined ? ['another process'] : [`process ${pid}`]),
    ...(host === undefined ? [] : [`on ${inOneLine(host)}`]),
  ].join(' ')
}

/** Older messages became a summary. */
export function CompactionRow({ compaction }: { compaction: CompactionReading }) {
  const { at, removed, carried, before, after, method, summary, isUndone, seq } = compaction
  return (
    <details class="boundary compaction">
      <summary>
        {counted(removed, 'message')} folded into a summary
        <span class="quiet figure">
          {shortCount(before)} → {shortCount(after)} tokens, by {method === 'model' ? 'the model' : 'Loader'}
          {carried > 0 && `, ${counted(carried, 'earlier message')} carried over`}
          {isUndone && ', undone later'}
        </span>
        <span class="where">
          <Time at={at} />
        </span>
      </summary>
      <p class="quiet">
        What the model sees instead. <SeqLink seq={seq} view="context" />
      </p>
      <Markdown text={summary} />
    </details>
  )
}

export function MarkRow({ mark: { title, at, seq } }: { mark: Mark }) {
  return (
    <p class="boundary">
      {inOneLine(title)}
      <span class="where">
        <Time at={at} />
        <SeqLink seq={seq} view="state" />
      </span>
    </p>
  )
}

/** The session went on in another folder, or on another machine. */
export function MovedRow({
  entry,
}: {
  entry: Parameters<typeof moveText>[0] & { readonly at: string; readonly seq: number }
}) {
  return (
    <p class="boundary">
      {inOneLine(moveText(entry))}
      <span class="where">
        <Time at={entry.at} />
        <SeqLink seq={entry.seq} view="state" />
      </span>
    </p>
  )
}

export function GapRow({ gap: { seq: first, ...gap } }: { gap: ShownGap }) {
  return (
    <p class="boundary tone-bad" role="note">
      <Chip word="damaged" /> {inOneLine(gapText({ first, ...gap }))}
    </p>
  )
}

export function BackgroundRow({ entry }: { entry: Pick<ShownBackground, 'at' | 'seq' | 'text'> }) {
  return (
    <p class="boundary" role="note">
      {inOneLine(entry.text)}
      <span class="where">
        <Time at={entry.at} />
        <SeqLink seq={entry.seq} view="timeline" />
      </span>
    </p>
  )
}

/** What a child session did, with a way to it. */
export function ChildRow({ entry: { id, text }, hasLink }: { entry: ShownChild; hasLink: boolean }) {
  return (
    <p class="boundary" role="note">
      {inOneLine(text)} {hasLink && <SessionLink id={id}>its session</SessionLink>}
    </p>
  )
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
