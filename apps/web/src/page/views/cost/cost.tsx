import { useMemo } from 'preact/hooks'
import {
  cachedShare,
  costText,
  counted,
  dollars,
  duration,
  requestsReading,
  shortCount,
  usageReading,
  type UsedTurn,
} from '@loader/readings'
import type { Totals } from '@loader/session-core'
import { go, route } from '../../model/route.ts'
import type { OpenSession } from '../../model/session.ts'
import { Line } from '../../ui/line.tsx'
import { Empty, Facts, SessionLink } from '../../ui/parts.tsx'
import { Series } from '../../ui/series.tsx'

interface CostProps {
  readonly session: OpenSession
  /** Whether the sessions of agents can be opened from here. */
  readonly hasList: boolean
}

/** What the session has used: with its agents, by turn, by model, and over time. */
export function CostView({ session, hasList }: CostProps) {
  const { value: requests } = session.reading(requestsReading)
  const { value: state } = session.state
  const { revision } = session
  const usage = useMemo(
    () => (state === null ? null : usageReading(session.history, state)),
    [revision.value, state === null],
  )
  const { seq } = route.value
  const costs = useMemo(() => accumulated(requests.map(({ cost }) => cost?.usd ?? 0)), [requests])
  const tokens = useMemo(
    () => ({
      fresh: accumulated(
        requests.map(({ usage: used }) => Math.max(0, (used?.inputTokens ?? 0) - (used?.cacheReadTokens ?? 0))),
      ),
      cached: accumulated(requests.map(({ usage: used }) => used?.cacheReadTokens ?? 0)),
      output: accumulated(requests.map(({ usage: used }) => used?.outputTokens ?? 0)),
    }),
    [requests],
  )
  if (usage === null || usage.total.requests === 0)
    return <Empty title="Nothing was used so far: the model has not been asked." />
  const { total, agents } = usage
  const all = agents?.all ?? total
  const isPart = agents !== undefined && agents.notKnown > 0
  const share = cachedShare(all)
  const chosen =
    seq === null
      ? null
      : Math.max(
          0,
          requests.findLastIndex((one) => one.seq <= seq),
        )
  const isPriced = (costs.at(-1) ?? 0) > 0
  return (
    <div class="cost">
      <Facts
        facts={[
          ['cost', <span class="big">{costWords(all, isPart)}</span>],
          ['sent', `${shortCount(all.inputTokens)} tokens`],
          ['answered', `${shortCount(all.outputTokens)} tokens`],
          ['of which thinking', `${shortCount(all.reasoningTokens)} tokens`],
          ['read from a cache', share === undefined ? 'not told' : `${Math.round(share * 100)} %`],
          ['requests', `${all.requests}`],
          ['calls', `${all.toolCalls}`],
        ]}
      />
      {agents !== undefined && (
        <>
          <p class="quiet">
            The figures above are of this session and its {counted(agents.sessions.length, 'agent')}.
            {isPart && ` What ${agents.notKnown} of them used is not known yet.`} Below the table it is this session
            alone.
          </p>
          <UsageTable
            rows={[
              { name: 'the session itself', took: null, usage: total },
              ...agents.sessions.map(({ id, title, usage: used }) => ({
                name: title,
                took: null,
                usage: used,
                ...(hasList && { session: id }),
              })),
              { name: isPart ? '**all that is known**' : '**all**', took: null, usage: all, isPart },
            ]}
          />
        </>
      )}
      {isPriced && (
        <>
          <h3>Money over time</h3>
          <Series
            label={`Cost over ${counted(requests.length, 'request')}, ${costWords(total)} in all`}
            layers={[{ name: 'cost', className: 'area-cost', values: costs }]}
            nameOf={(index) => `request ${index + 1}`}
            valueText={(value) => (value === 0 ? '0' : dollars(value))}
            chosen={chosen}
            onChoose={(index) => go({ seq: requests[index]?.seq ?? null }, 'replace')}
          />
        </>
      )}
      {total.inputTokens + total.outputTokens > 0 && (
        <>
          <h3>Tokens over time</h3>
          <Series
            label={`Tokens over ${counted(requests.length, 'request')}`}
            layers={[
              { name: 'cached', className: 'area-cached', values: tokens.cached },
              { name: 'sent', className: 'area-sent', values: tokens.fresh },
              { name: 'answered', className: 'area-answered', values: tokens.output },
            ]}
            nameOf={(index) => `request ${index + 1}`}
            valueText={shortCount}
            chosen={chosen}
            onChoose={(index) => go({ seq: requests[index]?.seq ?? null }, 'replace')}
          />
          <ul class="legend" aria-label="What the colours say">
            <li class="legend-cached">sent, read from a cache</li>
            <li class="legend-sent">sent</li>
            <li class="legend-answered">answered</li>
          </ul>
        </>
      )}
      <h3>By turn</h3>
      <UsageTable
        rows={usage.turns.map((turn, index) => ({
          name: `${index + 1}. ${turn.input}`,
          took: tookOf(turn),
          usage: turn.usage,
        }))}
      />
      <h3>By model</h3>
      <UsageTable rows={usage.models.map(({ model, usage: used }) => ({ name: model, took: null, usage: used }))} />
    </div>
  )
}

interface UsageRow {
  readonly name: string
  readonly took: string | null
  /** Null where it is not known. */
  readonly usage: Totals | null
  /** Whether more was used than is known. */
  readonly isPart?: boolean
  /** The session that has used it, where another one can be opened. */
  readonly session?: string
}

function UsageTable({ rows }: { rows: readonly UsageRow[] }) {
  const most = Math.max(1, ...rows.map(({ usage }) => tokensOf(usage)))
  const hasTimes = rows.some(({ took }) => took !== null)
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Usage">
      <table class="usage">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Cost</th>
            <th scope="col">Requests</th>
            <th scope="col">Sent</th>
            <th scope="col">Cached</th>
            <th scope="col">Answered</th>
            {hasTimes && <th scope="col">Took</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, took, usage, isPart, session }, index) => {
            const share = usage === null ? undefined : cachedShare(usage)
            return (
              <tr key={index}>
                <th scope="row">
                  <span class="usage-name">
                    {session === undefined ? (
                      <Line text={name} />
                    ) : (
                      <SessionLink id={session}>
                        <Line text={name} />
                      </SessionLink>
                    )}
                  </span>
                  <span class="usage-bar" aria-hidden="true" style={{ width: `${(100 * tokensOf(usage)) / most}%` }} />
                </th>
                <td class="figure">{usage === null ? 'not known yet' : costWords(usage, isPart)}</td>
                <td class="figure">{usage?.requests ?? '–'}</td>
                <td class="figure">{usage === null ? '–' : shortCount(usage.inputTokens)}</td>
                <td class="figure">{share === undefined ? '–' : `${Math.round(share * 100)} %`}</td>
                <td class="figure">{usage === null ? '–' : shortCount(usage.outputTokens)}</td>
                {hasTimes && <td class="figure">{took ?? ''}</td>}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function tokensOf(usage: Totals | null): number {
  return usage === null ? 0 : usage.inputTokens + usage.outputTokens
}

function costWords(totals: Totals, isPart?: boolean): string {
  const text = costText(totals, isPart)
  return text === '?' ? 'not known' : text === '' ? '–' : text
}

function tookOf({ startedAt, finishedAt }: UsedTurn): string {
  return finishedAt === null ? 'open' : duration(Date.parse(finishedAt) - Date.parse(startedAt))
}

function accumulated(values: readonly number[]): number[] {
  let sum = 0
  return values.map((value) => (sum += value))
}
