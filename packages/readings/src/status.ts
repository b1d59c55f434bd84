import { excerptOf, type SessionState, shownText, summarize } from '@loader/session-core'
import { judgedElsewhere } from '@loader/workflow'
import { backgroundOf } from './background.ts'
import type { StatusOutput } from './schemas/status.ts'
import { callTitle } from './words/call-title.ts'

type StatusSession = NonNullable<StatusOutput['session']>

/** The state of a session. `writer` describes its current writer, which events do not tell. */
export function statusReading(state: SessionState, writer: string | null): StatusSession {
  const { policy, lastTurn, touchedFiles, compaction, place } = state
  return {
    ...summarize(state),
    model: policy?.model?.model ?? null,
    policy: policyOf(state),
    openTurn: openTurnOf(state),
    queue: state.queue.map(({ text }) => excerptOf(shownText(text))),
    writer,
    place: place === undefined ? null : { root: place.root, machine: place.machine, missing: place.missing ?? [] },
    judgedElsewhere: judgedElsewhere(state) ?? null,
    lastTurn:
      lastTurn === null
        ? null
        : { reason: lastTurn.reason, verdict: lastTurn.verdict ?? null, finishedAt: lastTurn.finishedAt },
    touchedFiles,
    compactions: compaction?.count ?? 0,
    background: backgroundOf(state),
  }
}

function policyOf({ policy }: SessionState): StatusSession['policy'] {
  if (policy === null) return null
  const { mode, promptingEnabled, ruleCounts, rulesSource } = policy.permission
  const servers = policy.tools?.servers
  return { mode, promptingEnabled, ruleCounts, rulesSource, audience: policy.audience, ...(servers && { servers }) }
}

function openTurnOf({ turn, messages }: SessionState): StatusSession['openTurn'] {
  if (turn === null) return null
  const { id, phase, startedAt, inputId, pending, calls } = turn
  const said = messages.at(messages.findLastIndex((message) => message.id === inputId))?.content ?? []
  const words =
    pending === null
      ? said.flatMap((part) => (part.type === 'text' && part.file === undefined ? [part.text] : []))
      : [pending.text]
  return {
    id,
    phase,
    startedAt,
    input: excerptOf(words.map(shownText).join(' ')),
    openCalls: calls.filter(({ outcome }) => outcome === undefined).map(({ call }) => callTitle(call)),
  }
}
