import { Owner, ownerInWords } from '@loader/session-core'

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

/** The holder of a session, as it is written beside its lease. */
interface Holder {
  readonly owner: Owner
  readonly process: Processes['self'] | null
}

export function holderText(owner: Owner, processes: Processes | undefined): string {
  return JSON.stringify({ owner, process: processes?.self ?? null })
}

/** The holder of a session; undefined when there is none, or the text cannot be read. */
function parseHolder(text: unknown): Holder | undefined {
  const parsed = jsonIn(text)
  if (typeof parsed !== 'object' || parsed === null) return undefined
  const { owner, process }: { readonly owner?: unknown; readonly process?: Processes['self'] | null } = parsed
  const result = Owner.safeParse(owner)
  return result.success ? { owner: result.data, process: process ?? null } : undefined
}

function jsonIn(text: unknown): unknown {
  if (typeof text !== 'string') return undefined
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The claim that a session is under, as the database has it. */
export interface HolderStanding {
  readonly id: string
  readonly epoch: number
  readonly token: string | null
  readonly headSeq: number
  /** Whether the lease is not over. */
  readonly holds: boolean
  readonly holder: Holder | undefined
}

export function standingOf(row: Readonly<Record<string, unknown>>): HolderStanding {
  return {
    id: String(row['id']),
    epoch: Number(row['epoch']),
    token: typeof row['token'] === 'string' ? row['token'] : null,
    headSeq: Number(row['head_seq']),
    holds: row['holds'] === true,
    holder: parseHolder(row['holder']),
  }
}

/** Whether the holder is a process of this machine that has ended. */
export function isDead({ holder }: HolderStanding, processes: Processes | undefined): boolean {
  const process = holder?.process ?? null
  return process !== null && processes !== undefined && processes.stateOf(process as never) === 'dead'
}

/** Whether no writer that ever claimed the session may still write to it. */
export function isFree(standing: HolderStanding, processes: Processes | undefined): boolean {
  return standing.token === null || !standing.holds || isDead(standing, processes)
}

/** The holder of the session; null when it may not write to it any more. */
export function currentHolder(standing: HolderStanding, processes: Processes | undefined): Owner | null {
  const { holder } = standing
  if (holder === undefined || isFree(standing, processes)) return null
  const { owner, process } = holder
  return process === null ? owner : { ...owner, pid: process.pid, host: process.host }
}

export function describeHolder({ holder }: HolderStanding): string {
  if (holder === undefined) return 'another writer'
  const { owner, process } = holder
  return ownerInWords({ ...owner, ...process })
}
