import type { GivenAnswer, Judgement, WorkflowMode } from '@loader/session-core/coding'

// What can be done from the page: a POST each, to `paths.act(name)`, with the fields of its body and an id of the request.

/** An id that the page makes once for each action. A request that is sent again with its id is not carried out twice. */
export interface Request {
  readonly request: string
}

/** The bodies of the acts, without the id of the request. */
export interface ActBodies {
  /** A task: for a session that rests, or for a new one in a folder. */
  readonly send: {
    readonly session?: string
    readonly project?: string
    readonly text: string
    readonly mode?: WorkflowMode
    readonly checks?: readonly string[]
    readonly title?: string
    /** Whether a worker is to do it. */
    readonly to?: 'here' | 'fleet'
  }
  /** Words for the turn that runs, wherever it does. */
  readonly queue: { readonly session: string; readonly text: string }
  readonly stop: { readonly session: string; readonly turnId: string }
  /** Goes on with a turn that was cut off, or with what is queued. */
  readonly continue: { readonly session: string }
  readonly answer: {
    readonly session: string
    readonly questionId: string
    /** `shown` of the question. */
    readonly shown: string
    readonly answer: GivenAnswer
    /** For a lasting yes: the rule that was shown. */
    readonly rule?: string
  }
  readonly rename: { readonly session: string; readonly title: string }
  readonly fork: { readonly session: string; readonly at?: number; readonly title?: string }
  readonly 'accept-preview': { readonly session: string }
  readonly accept: { readonly session: string; readonly token: string }
  readonly 'rewind-preview': RewindBody
  readonly rewind: RewindBody & { readonly token: string }
  /** Lets workers take a parked session again. */
  readonly unpark: { readonly session: string }
}

interface RewindBody {
  readonly session: string
  /** The first turn that is taken back. */
  readonly turn: string
  /** Whether files go back as well. */
  readonly files: boolean
}

/** The name of an act. */
export type ActName = keyof ActBodies

/** Names of the acts. */
export const actNames = [
  'send',
  'queue',
  'stop',
  'continue',
  'answer',
  'rename',
  'fork',
  'accept-preview',
  'accept',
  'rewind-preview',
  'rewind',
  'unpark',
] as const satisfies readonly ActName[]

/**
 * How far an act has come. `recorded`: it is in the session, durably. `delivered`: it is stored durably for the process that
 * has the session, which has not taken it yet; `Standing.undelivered` lists it until then.
 */
interface Acted {
  readonly session: string
  readonly state: 'recorded' | 'delivered'
  /** Whether this request was carried out before. */
  readonly repeated?: true
}

/** What an act would do; `token` names it. */
interface Preview<What> {
  readonly session: string
  readonly preview: What
  readonly token: string
}

/** As `loader accept --json`. */
interface AcceptPreview {
  readonly session: string
  readonly done: boolean
  readonly files: readonly string[]
  readonly packages: readonly string[]
  readonly tests: readonly string[]
  readonly patch: string
  readonly judgement: Judgement | null
}

/** As `loader rewind --json`. */
interface RewindPreview {
  readonly session: string
  readonly done: boolean
  readonly turnIds: readonly string[]
  readonly input: string
  readonly files: readonly {
    readonly path: string
    readonly outcome: 'restored' | 'kept'
    readonly action?: 'write' | 'remove' | 'make_folder' | 'remove_folder' | undefined
    readonly reason?: string | undefined
  }[]
  /** Turns whose changes are unknown; their files are left alone. */
  readonly unseen: readonly { readonly turnId: string; readonly why: string }[]
}

/** What is answered to each act. */
export interface ActAnswers {
  readonly send: Acted & { readonly inputId: string }
  readonly queue: Acted & { readonly inputId: string }
  readonly stop: Acted
  readonly continue: Acted
  readonly answer: Acted
  readonly rename: Acted
  /** `session` is the copy. */
  readonly fork: Acted & { readonly from: { readonly id: string; readonly seq: number } }
  readonly 'accept-preview': Preview<AcceptPreview>
  readonly accept: Acted & { readonly result: AcceptPreview }
  readonly 'rewind-preview': Preview<RewindPreview>
  readonly rewind: Acted & { readonly result: RewindPreview }
  readonly unpark: Acted
}

/** GET /api/fleet, as `loader fleet --json`. */
export interface FleetAnswer {
  readonly workers: readonly {
    readonly id: string
    readonly host: string | null
    readonly pid: number | null
    readonly version: string | null
    readonly projects: string | null
    readonly concurrency: number | null
    readonly sessions: number
    readonly there: boolean
    readonly goneForSeconds: number
  }[]
  readonly sessions: readonly {
    readonly id: string
    readonly title: string | null
    readonly project: string | null
    readonly standing: 'queued' | 'running' | 'waiting' | 'parked'
    readonly worker: string | null
    readonly leaseLeftSeconds: number | null
    readonly waitsForSeconds: number
    readonly kills: number
    readonly reason: string | null
  }[]
  readonly counts: {
    readonly queued: number
    readonly running: number
    readonly waiting: number
    readonly parked: number
  }
}
