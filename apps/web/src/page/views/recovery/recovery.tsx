import {
  between,
  type ClaimReading,
  counted,
  type CutOff,
  fullTime,
  gapText,
  inOneLine,
  recoveryReading,
} from '@loader/readings'
import { gapsOf, type Owner } from '@loader/session-core'
import { useKeys } from '../../model/keys.ts'
import { go, route } from '../../model/route.ts'
import type { OpenSession } from '../../model/session.ts'
import { plain } from '../../model/words.ts'
import { Chip, Empty, Facts, SeqLink } from '../../ui/parts.tsx'

/** Which processes wrote the session, what their ends cut off, and what became of it. */
export function RecoveryView({ session }: { session: OpenSession }) {
  const { value: claims } = session.reading(recoveryReading)
  const { value: gaps } = session.reading(gapsOf)
  const { seq } = route.value
  const cuts = claims.flatMap(({ cut }) => cut)
  const move = (by: 1 | -1) => {
    const at = seq ?? (by > 0 ? 0 : Number.POSITIVE_INFINITY)
    const claim = by > 0 ? claims.find((one) => one.seq > at) : claims.findLast((one) => one.seq < at)
    if (claim === undefined) return
    go({ seq: claim.seq }, 'replace')
    document.getElementById(`claim-${claim.epoch}`)?.scrollIntoView({ block: 'center' })
  }
  useKeys([
    { keys: ['j'], group: 'Recovery', says: 'Next claim', run: () => move(1) },
    { keys: ['k'], group: 'Recovery', says: 'Claim before', run: () => move(-1) },
  ])
  return (
    <div class="recovery">
      <p class="lead">{leadOf(claims)}</p>
      {cuts.length > 0 && (
        <Facts
          facts={(['applied', 'not_applied', 'unknown', 'kept', 'nothing', 'again', 'open'] as const).flatMap(
            (became) => {
              const count = cuts.filter((cut) => cut.became === became).length
              return count === 0
                ? []
                : [[meanings[became], <Chip word={`${count} ${plain(became)}`} tone={tones[became]} />] as const]
            },
          )}
        />
      )}
      {claims.length === 0 ? (
        <Empty title="No process has claimed this session yet." />
      ) : (
        <ol class="claims">
          {claims.map((claim, index) => (
            <Claim
              key={claim.epoch}
              claim={claim}
              next={claims[index + 1]}
              isChosen={isIn(claim, claims[index + 1], seq)}
            />
          ))}
        </ol>
      )}
      {gaps.map(({ first, ...gap }) => (
        <p class="boundary tone-bad" key={first}>
          <Chip word="damaged" /> {inOneLine(gapText({ first, ...gap }))}
        </p>
      ))}
    </div>
  )
}

const meanings: Readonly<Record<CutOff['became'], string>> = {
  applied: 'its change is there',
  not_applied: 'it changed nothing',
  unknown: 'it may or may not have happened',
  kept: 'what had arrived is kept',
  nothing: 'nothing had arrived',
  again: 'done once more',
  open: 'nothing is known yet',
}
const tones = {
  applied: 'good',
  not_applied: 'idle',
  unknown: 'warn',
  kept: 'good',
  nothing: 'idle',
  again: 'good',
  open: 'warn',
} as const

const handovers = {
  rested: 'It ended at rest.',
  waiting: 'It left a question that waited for its answer, and nothing was under way.',
  passed_on: 'It did not work on the turn.',
} as const

function leadOf(claims: readonly ClaimReading[]): string {
  const cut = claims.filter(({ ended }) => ended === 'cut_off').length
  const written = `${counted(claims.length, 'process has', 'processes have')} written this session, one after the other.`
  return `${written} ${cut === 0 ? 'None of them was' : cut === 1 ? 'One of them was' : `${cut} of them were`} cut off.`
}

function isIn({ seq: first }: ClaimReading, next: ClaimReading | undefined, seq: number | null): boolean {
  return seq !== null && first <= seq && (next === undefined || seq < next.seq)
}

function Claim({ claim, next, isChosen }: { claim: ClaimReading; next: ClaimReading | undefined; isChosen: boolean }) {
  const { epoch, seq, at, owner, last, events, ended, cut } = claim
  return (
    <li>
      <section id={`claim-${epoch}`} class={isChosen ? 'claim chosen' : 'claim'} aria-label={`Claim ${epoch}`}>
        <header>
          <h3>
            <span class="epoch">Claim {epoch}</span> {ownerWords(owner)}
          </h3>
          <SeqLink seq={seq} />
        </header>
        <p class="quiet figure">
          {fullTime(at)} · {counted(events, 'event')}, to <SeqLink seq={last.seq} /> ·{' '}
          <span class="figure-word">{ended === 'latest' ? 'the latest' : between(at, last.at)}</span>
        </p>
      </section>
      {next !== undefined && ended !== 'cut_off' && ended !== 'latest' && (
        <p class="handover quiet">
          {ended === 'passed_on' && last.type === 'question.answered' ? 'It brought an answer.' : handovers[ended]}{' '}
          {between(last.at, next.at)} later:
        </p>
      )}
      {next !== undefined && ended === 'cut_off' && (
        <section class="cut-off" aria-label={`What the end of claim ${epoch} cut off`}>
          <p>
            <strong>Ended in the middle of a turn.</strong> Its last sign of life is <SeqLink seq={last.seq} /> (
            {last.type}). Nobody worked on it for {between(last.at, next.at)}.
          </p>
          {cut.length === 0 ? (
            <p class="quiet">Nothing was under way at that moment, so nothing had to be found out.</p>
          ) : (
            <ul>
              {cut.map((one) => (
                <Cut key={`${one.kind} ${one.id}`} cut={one} />
              ))}
            </ul>
          )}
        </section>
      )}
    </li>
  )
}

function Cut({ cut: { kind, title, became, said, settled, seq, found } }: { cut: CutOff }) {
  return (
    <li class="cut-thing">
      <header>
        <Chip word={became} tone={tones[became]} says={meanings[became]} />
        <span class="quiet">{kind}</span>
        <code>{inOneLine(title)}</code>
        <SeqLink seq={seq} />
      </header>
      <p>
        {inOneLine(said)} {settled !== null && <SeqLink seq={settled.seq} />}
      </p>
      {found !== undefined && (
        <p class="found">
          Found out later, by <code>{inOneLine(found.shownBy)}</code>: {inOneLine(found.what)}{' '}
          <SeqLink seq={found.seq} />
        </p>
      )}
    </li>
  )
}

function ownerWords({ program, type, host, pid }: Owner): string {
  const who = pid === undefined ? [program ?? type] : [...(program === undefined ? [] : [program]), `process ${pid}`]
  return [...who, ...(host === undefined ? [] : [`on ${host}`])].map(inOneLine).join(' ')
}
