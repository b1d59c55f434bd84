import type { Dispatch, FleetSession, FleetWorker } from '@loader/session-postgres/dispatch'
import * as z from 'zod'
import type { FleetOutput } from '../schemas/fleet.ts'

/** The workers of a database, and the sessions that wait for them. */
export async function fleetReading(dispatch: Dispatch): Promise<FleetOutput> {
  const { workers, sessions } = await dispatch.fleet()
  return {
    workers: workers.map((worker) => shownWorker(worker, sessions)),
    sessions: sessions.map(shownSession),
    counts: countsOf(sessions),
  }
}

/** What a worker says of itself may come from another version. */
const About = z.object({
  host: z.string().nullable().catch(null),
  pid: z.int().nullable().catch(null),
  version: z.string().nullable().catch(null),
  projects: z.string().nullable().catch(null),
  concurrency: z.int().nullable().catch(null),
})

function shownWorker({ id, about, isThere, goneFor }: FleetWorker, sessions: readonly FleetSession[]) {
  const known = About.safeParse(about).data ?? {
    host: null,
    pid: null,
    version: null,
    projects: null,
    concurrency: null,
  }
  const held = sessions.filter(({ worker }) => worker === id).length
  return { id, ...known, sessions: held, there: isThere, goneForSeconds: rounded(Math.max(goneFor, 0)) }
}

function shownSession({ id, row, standing, worker, leaseLeft, waitsFor, kills, reason }: FleetSession) {
  return {
    id,
    title: row?.title ?? null,
    project: row?.project ?? null,
    standing,
    worker: worker ?? null,
    leaseLeftSeconds: leaseLeft === undefined ? null : rounded(leaseLeft),
    waitsForSeconds: rounded(Math.max(waitsFor, 0)),
    kills,
    reason: reason ?? null,
  }
}

function rounded(seconds: number): number {
  return Math.round(seconds * 10) / 10
}

function countsOf(sessions: readonly FleetSession[]): FleetOutput['counts'] {
  const count = (wanted: FleetSession['standing']) => sessions.filter(({ standing }) => standing === wanted).length
  return { queued: count('queued'), running: count('running'), waiting: count('waiting'), parked: count('parked') }
}
