import { useEffect, useState } from 'preact/hooks'
import { counted, duration, inOneLine } from '@loader/readings'
import type { FleetAnswer, Hello } from '../../../protocol.ts'
import type { Source } from '../../connection/source.ts'
import { useAct } from '../../model/act.ts'
import { useKeys } from '../../model/keys.ts'
import { go, writeRoute } from '../../model/route.ts'
import type { Tone } from '../../model/words.ts'
import { Chip, Empty, Failed, stay } from '../../ui/parts.tsx'
import { ActFailure } from '../acting/act-failure.tsx'

const everyMs = 3_000

/** The workers of a database, and the sessions that stand in line for them. */
export function FleetView({ source, hello }: { source: Source; hello: Hello | null }) {
  const { fleet, failure } = useFleet(source)
  useEffect(() => {
    document.title = 'Fleet · Loader'
  }, [])
  useKeys([
    { keys: ['w'], group: 'Fleet', says: 'To the sessions', run: () => go({ session: null, list: 'sessions' }) },
  ])
  const toSessions = { session: null, list: 'sessions', view: 'conversation', seq: null, item: null } as const
  return (
    <div class="sessions fleet">
      <header class="sessions-header">
        <h1>Fleet</h1>
        {hello !== null && <p class="quiet path">{inOneLine(hello.store)}</p>}
        <p class="sessions-links">
          <a href={writeRoute(toSessions)} onClick={(event) => stay(event, () => go(toSessions))}>
            Sessions
          </a>
        </p>
      </header>
      <main id="main" tabIndex={-1}>
        {failure !== null && (
          <p class="connection tone-warn" role="status">
            What you see may be old. {inOneLine(failure)}
          </p>
        )}
        {fleet === null && failure === null && <p class="loading">Asking the database…</p>}
        {fleet === null && failure !== null && <Failed title="The fleet cannot be shown." why={failure} />}
        {fleet !== null && <Shown fleet={fleet} isActing={hello?.readOnly === false} />}
      </main>
    </div>
  )
}

function Shown({ fleet: { workers, sessions, counts }, isActing }: { fleet: FleetAnswer; isActing: boolean }) {
  return (
    <>
      <p class="lead">
        {counted(workers.filter(({ there }) => there).length, 'worker')}: {counts.queued} queued, {counts.running}{' '}
        running, {counts.waiting} waiting for an answer, {counts.parked} parked.
      </p>
      <section aria-labelledby="fleet-workers">
        <h2 id="fleet-workers">Workers</h2>
        {workers.length === 0 && (
          <p class="quiet">
            There is none. Start one on any machine that reaches the database: <code>loader worker --projects .</code>
          </p>
        )}
        <ul class="fleet-rows">
          {workers.map((worker) => (
            <WorkerRow key={worker.id} worker={worker} />
          ))}
        </ul>
      </section>
      <section aria-labelledby="fleet-line">
        <h2 id="fleet-line">In line, the first one first</h2>
        {sessions.length === 0 && <Empty title="Nothing stands in line.">Finished sessions are in no line.</Empty>}
        <ol class="fleet-rows">
          {sessions.map((session) => (
            <LineRow key={session.id} session={session} isActing={isActing} />
          ))}
        </ol>
      </section>
    </>
  )
}

function WorkerRow({ worker }: { worker: FleetAnswer['workers'][number] }) {
  const { id, host, pid, version, projects, concurrency, sessions, there, goneForSeconds } = worker
  return (
    <li class="fleet-row">
      <span class="fleet-name">{inOneLine(id)}</span>
      <span class="fleet-chips">
        {there ? (
          <Chip word={sessions > 0 ? 'works' : 'is free'} tone={sessions > 0 ? 'live' : 'good'} />
        ) : (
          <Chip word={`silent for ${duration(goneForSeconds * 1000)}`} tone="warn" />
        )}
      </span>
      <span class="fleet-facts quiet">
        <span class="figure">
          {sessions} of {concurrency ?? '?'} at once
        </span>
        {host !== null && <span>{inOneLine(host)}</span>}
        {pid !== null && <span class="figure">process {pid}</span>}
        {version !== null && <span class="figure">{inOneLine(version)}</span>}
        {projects !== null && <span class="path">{inOneLine(projects)}</span>}
      </span>
    </li>
  )
}

const tones: Readonly<Record<FleetAnswer['sessions'][number]['standing'], Tone>> = {
  queued: 'idle',
  running: 'live',
  waiting: 'warn',
  parked: 'bad',
}

function LineRow({ session, isActing }: { session: FleetAnswer['sessions'][number]; isActing: boolean }) {
  const { id, title, project, standing, worker, leaseLeftSeconds, waitsForSeconds, kills, reason } = session
  const act = useAct('unpark')
  const to = { session: id, view: 'conversation', seq: null, item: null } as const
  return (
    <li class="fleet-row">
      <a
        class="fleet-name"
        href={writeRoute({ list: 'sessions', ...to })}
        onClick={(event) => stay(event, () => go(to))}
      >
        {inOneLine(title ?? id)}
      </a>
      <span class="fleet-chips">
        <Chip word={standing === 'waiting' ? 'waits for you' : standing} tone={tones[standing]} />
      </span>
      <span class="fleet-facts quiet">
        <span class="figure">
          {standing === 'running' ? 'taken' : 'for'} {duration(waitsForSeconds * 1000)}
        </span>
        {worker !== null && <span>by {inOneLine(worker)}</span>}
        {leaseLeftSeconds !== null && <span class="figure">lease {Math.max(0, Math.round(leaseLeftSeconds))} s</span>}
        {kills > 0 && <span class="tone-warn">{counted(kills, 'worker')} ended with it</span>}
        {project !== null && <span class="path">{inOneLine(project)}</span>}
      </span>
      {reason !== null && <span class="fleet-reason">{inOneLine(reason)}</span>}
      {isActing && standing === 'parked' && (
        <span class="fleet-act">
          <button type="button" disabled={act.isPending} onClick={() => void act.run({ session: id })}>
            {act.isPending ? 'Being stored…' : 'Let workers take it again'}
          </button>
          <ActFailure failure={act.failure} what="Your wish" />
        </span>
      )}
    </li>
  )
}

/** Reads the fleet again and again while the page is visible: leases run out without an event. */
function useFleet(source: Source) {
  const [fleet, setFleet] = useState<FleetAnswer | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    let isWanted = true
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async () => {
      if (document.visibilityState === 'visible') {
        try {
          const answer = await source.fleet()
          if (isWanted) {
            setFleet(answer)
            setFailure(null)
          }
        } catch (error) {
          if (isWanted) setFailure(error instanceof Error ? error.message : String(error))
        }
      }
      if (isWanted) timer = setTimeout(() => void look(), everyMs)
    }
    void look()
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [source])
  return { fleet, failure }
}
