import type { EventInput, SessionState } from '@loader/session-core'
import { type BackgroundCommand, backgroundEndWords, type BackgroundNow } from '@loader/session-core/coding'

/**
 * What has to be recorded of background commands: the difference between what the session knows of them and what is there.
 * So a command that an earlier process had started is found again, or called gone, by the same comparison.
 */
export function backgroundEvents(state: SessionState, now: readonly BackgroundNow[]): readonly EventInput[] {
  const { background = [] } = state
  const newest = Math.max(0, ...background.map(({ id }) => numberOf(id)))
  const seen = now.flatMap((command): readonly EventInput[] => {
    const known = background.find(({ id }) => id === command.id)
    if (known?.ended !== undefined) return []
    // It ended so long ago that the state has left it out.
    if (known === undefined && command.ended !== undefined && numberOf(command.id) < newest) return []
    const started = known === undefined ? [startedOf(state, command)] : []
    return [...started, ...changesOf(state, known, command)]
  })
  const missing = background.filter(({ id, ended }) => ended === undefined && !now.some((each) => each.id === id))
  return [...seen, ...missing.map((command) => endedOf(state, command, { how: 'gone' }))]
}

function numberOf(id: string): number {
  return Number(id.replace(/^bg/, '')) || 0
}

type Started = Extract<EventInput, { type: 'background.started' }>

function startedOf({ turn }: SessionState, command: BackgroundNow): Started {
  const { id, callId, command: text, cwd, reach, startedAt, process, keeps } = command
  const isOfNow = turn?.calls.some(({ call }) => call.id === callId) === true
  return {
    type: 'background.started',
    id,
    callId,
    command: text,
    cwd,
    reach,
    startedAt,
    process,
    ...(keeps && { keeps }),
    ...(!isOfNow && { found: true as const }),
  }
}

function changesOf(
  state: SessionState,
  known: BackgroundCommand | undefined,
  command: BackgroundNow,
): readonly EventInput[] {
  const { id, ended, ports, published } = command
  if (ended !== undefined) return [endedOf(state, command, ended, command.setAside)]
  const { ports: before = [], published: shown = [] } = known ?? {}
  const isSame = JSON.stringify(ports.map(plain)) === JSON.stringify(before.map(plain))
  const opened = published.filter(({ hostPort }) => !shown.some((each) => each.hostPort === hostPort))
  return [
    ...(isSame ? [] : [{ type: 'background.listened' as const, id, ports: [...ports] }]),
    ...opened.map(({ port, hostPort }) => ({ type: 'port.published' as const, id, port, hostPort })),
  ]
}

function plain({ port, on }: BackgroundNow['ports'][number]): readonly [number, string] {
  return [port, on]
}

/** Within a turn, results of calls tell the model. Of an end that no call of this process saw, a note tells it. */
function endedOf(
  { turn }: SessionState,
  { id, command }: Pick<BackgroundCommand, 'id' | 'command'>,
  { how, exitCode, bytes }: NonNullable<BackgroundNow['ended']>,
  setAside: readonly string[] = [],
): EventInput {
  const end = `[BACKGROUND] ${id} (${command.slice(0, 200)}) ${backgroundEndWords({ how, exitCode })}.`
  const note = [end, ...setAside].join(' ')
  const isUnseen = setAside.length > 0 || turn === null || turn.pending !== null || how === 'gone' || how === 'closed'
  return { type: 'background.ended', id, how, exitCode, bytes, ...(isUnseen && { note }) }
}
