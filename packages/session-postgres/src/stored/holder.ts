import { Owner } from '@loader/session-core'

/**
 * Which processes there are, as far as this one can tell. `systemProcesses()` of @loader/session-fs is one. Without any,
 * what a dead process held is free when its lease is over.
 */
export interface Processes {
  /** This process, as others can tell it apart: any JSON. */
  readonly self: { readonly pid: number; readonly host: string }
  /** `unknown` for a process of another machine. */
  stateOf(process: never): 'alive' | 'dead' | 'unknown'
}

/** Who holds a session, as it is written beside its lease. */
interface Holder {
  readonly owner: Owner
  readonly process: Processes['self'] | null
}

export function holderText(owner: Owner, processes: Processes | undefined): string {
  return JSON.stringify({ owner, process: processes?.self ?? null })
}

/** Who holds a session; undefined when nobody does, or the text cannot be read. */
function parseHolder(text: unknown): Holder | undefined {
  if (typeof text !== 'string') return undefined
  const { owner, process }: { readonly owner?: unknown; readonly process?: Processes['self'] | null } = JSON.parse(text)
  const result = Owner.safeParse(owner)
  return result.success ? { owner: result.data, process: process ?? null } : undefined
}

/** What is known of the claim that a session is under. */
export interface Standing {
  readonly id: string
  readonly epoch: number
  readonly token: string | null
  readonly headSeq: number
  /** Whether the lease is not over. */
  readonly holds: boolean
  readonly holder: Holder | undefined
}

export function standingOf(row: Readonly<Record<string, unknown>>): Standing {
  return {
    id: String(row['id']),
    epoch: Number(row['epoch']),
    token: typeof row['token'] === 'string' ? row['token'] : null,
    headSeq: Number(row['head_seq']),
    holds: row['holds'] === true,
    holder: parseHolder(row['holder']),
  }
}

/** Whether the one who holds it is a process of this machine that has ended. */
export function isDead({ holder }: Standing, processes: Processes | undefined): boolean {
  const process = holder?.process ?? null
  return process !== null && processes !== undefined && processes.stateOf(process as never) === 'dead'
}

/** Whether nobody may write to it any more who ever claimed it. */
export function isFree(standing: Standing, processes: Processes | undefined): boolean {
  return standing.token === null || !standing.holds || isDead(standing, processes)
}

/** Who holds the session now, if anybody may still write to it. */
export function currentHolder(standing: Standing, processes: Processes | undefined): Owner | null {
  const { holder } = standing
  if (holder === undefined || isFree(standing, processes)) return null
  const { owner, process } = holder
  return process === null ? owner : { ...owner, pid: process.pid, host: process.host }
}

export function describeHolder({ holder }: Standing): string {
  if (holder === undefined) return 'another writer'
  const { owner, process } = holder
  const where = process === null ? '' : `, process ${process.pid} on ${process.host}`
  return `${owner.path} (${owner.type}${where})`
}
