import type { ExportOutput, SessionRow, StoredEvent } from '@loader/session-core'
import type { GivenAnswer } from '@loader/session-core/coding'
import type { ListedSession, SessionsOutput } from '@loader/readings'
import type { ActName } from './acts.ts'

export type { ActAnswers, ActBodies, ActName, FleetAnswer } from './acts.ts'
export type { GivenAnswer } from '@loader/session-core/coding'

// What the page and its server say to each other. Both are built together, so neither parses what the other one sends:
// `Hello.build` tells a page that was loaded before an update that it has to be loaded again.

/** Raised when a page of an older build cannot go on with a newer server. */
export const protocolVersion = 1

/** Every path that the server answers. Names in braces stand for values, which are encoded as parts of a URL. */
export const paths = {
  login: '/api/login',
  hello: '/api/hello',
  sessions: '/api/sessions',
  sessionsStream: '/api/sessions/stream',
  session: (id: string) => `/api/sessions/${encodeURIComponent(id)}`,
  events: (id: string) => `/api/sessions/${encodeURIComponent(id)}/events`,
  blob: (id: string, name: string) => `/api/sessions/${encodeURIComponent(id)}/blobs/${encodeURIComponent(name)}`,
  diff: (id: string) => `/api/sessions/${encodeURIComponent(id)}/diff`,
  link: (id: string) => `/api/sessions/${encodeURIComponent(id)}/link`,
  export: (id: string) => `/api/sessions/${encodeURIComponent(id)}/export`,
  fleet: '/api/fleet',
  /** Everything that changes something lies below this, behind one guard. */
  acting: '/api/act',
  act: (name: ActName) => `/api/act/${name}`,
} as const

/**
 * The header that every request of a page carries, with what the login gave it. A cookie is sent to every port of a
 * host; this is known only to pages of this server.
 */
export const keyHeader = 'x-loader-key'

/** What a browser may see: everything, or one session. Neither may change anything in a read-only server. */
export type Scope = { readonly kind: 'all' } | { readonly kind: 'session'; readonly id: string }

/**
 * POST /api/login with `{ token }`, which is in the address: for a cookie and a key. The page keeps the key, and sends it
 * as `keyHeader`.
 */
export interface LoginAnswer {
  readonly key: string
  readonly scope: Scope
}

/** GET /api/hello */
export interface Hello {
  readonly protocol: number
  /** Of the page that this server has. A page with another one should be loaded again. */
  readonly build: string
  /** Of the command. */
  readonly version: string
  readonly scope: Scope
  readonly readOnly: boolean
  /**
   * How the page came here. `loopback`: it never left the machine. `encrypted`: the server was told that TLS is in front
   * of it. `plain`: others on the network can read along, and the page has to say so.
   */
  readonly transport: 'loopback' | 'encrypted' | 'plain'
  /** Where the sessions are, in words: a folder, or the address of a database without its password. */
  readonly store: string
  /** The project that `loader web` was started in. */
  readonly project: string
  /** Whether there are workers that tasks can be given to. */
  readonly fleet: boolean
  /** The time of the server, for `n minutes ago` on a machine with another clock. */
  readonly now: string
}

/** Every answer that is not a success, with the status as usual. */
export interface Refusal {
  readonly error: {
    /**
     * Of acts (409): `turn_running`, `nothing_to_do`, `question_closed`, `answered_elsewhere`, `changed`, `too_soon`, `busy`,
     * `request_reused`, `no_model`, `unknown`. `too_large` (413).
     *
     * `not_logged_in` (401): the cookie or the key is missing or not of this server. `wrong_token` (401, at login).
     * `refused` (403): Host, Origin or scope. `read_only` (403). `not_found` (404). `invalid` (400). `too_many` (503).
     * `failed` (500). Others are codes of LoaderError, such as `session_damaged`.
     */
    readonly code: string
    readonly message: string
    /** Of `answered_elsewhere`: who was first, and what was decided. */
    readonly by?: 'terminal' | 'browser' | 'runtime'
    readonly permit?: 'allow' | 'deny'
  }
}

/** Query of GET /api/sessions and of its stream. All conditions must hold. */
export interface ListRequest {
  /** At most 500; 100 without it. */
  readonly limit?: number
  /** What the previous page ended with. */
  readonly cursor?: string
  /** Title, last words or metadata contain it. */
  readonly text?: string
  /** A message contains it; rows then have `matches`. Not for the stream. */
  readonly search?: string
  readonly verdict?: NonNullable<SessionRow['verdict']>
  readonly activity?: NonNullable<ListedSession['activity']>
  /** A folder: sessions that were begun in it. */
  readonly project?: string
}

/** GET /api/sessions */
export interface ListAnswer extends SessionsOutput {
  /** Present when there are more. */
  readonly cursor?: string
  /** How many match in all; absent for a search, which stops at the page. */
  readonly total?: number
  /** Every project that has sessions, for a filter. */
  readonly projects: readonly string[]
  /** Sessions on this page that wait for an answer, and to what. */
  readonly waiting?: Readonly<Record<string, WaitsFor>>
}
export type WaitsFor = 'permit' | 'plan' | 'question'

/**
 * GET /api/sessions/stream: server-sent events. After each connection comes `rows` with the whole first page; then
 * `changed`, as often as something has. Between them `alive`.
 */
export interface ListStream {
  readonly rows: ListAnswer
  readonly changed: ListChange
  readonly alive: Alive
  readonly trouble: Trouble
}
export interface ListChange {
  /** Rows that are new or different, as they are now. */
  readonly changed: readonly ListedSession[]
  /** Ids that are not on the first page any more. */
  readonly gone: readonly string[]
  readonly total?: number
  /** As in `ListAnswer`; all of them, whenever one has changed. */
  readonly waiting?: Readonly<Record<string, WaitsFor>>
}

/** GET /api/sessions/:id: its row as it is now. */
export type SessionAnswer = ListedSession

/**
 * GET /api/sessions/:id/events?after=SEQ&at=TIME: server-sent events, after the one that has this seq and this time. An event of the session is a message without a name; its
 * id is its seq, its data the line that `--output-format events` prints. The others have a name, and no id.
 *
 * With `until=live` the answer ends once the backlog is through, or after a wait of at most `wait` seconds if there was
 * none: for a page behind a proxy that passes an answer on only when it has ended.
 */
export interface EventStream {
  /** First of all, so that a page sees at once whether anything holds the answer back. */
  readonly opened: Opened
  /** All events up to here were there when the connection was made. */
  readonly live: { readonly seq: number }
  /** Another process has claimed the session. */
  readonly writer: { readonly epoch: number }
  /** Words of an answer on their way, which are not certain yet and come again as events. Only those that are new. */
  readonly partial: { readonly events: readonly StoredEvent[] }
  /** Who has the session and what it waits for: after `live`, and whenever it has changed. */
  readonly standing: Standing
  /** Nothing has happened; sent every `aliveMs`. */
  readonly alive: Alive
  /** Nothing more will come in this connection. */
  readonly trouble: Trouble
}
interface Opened {
  readonly after: number
  readonly build: string
  /** Another one after each start of the server. */
  readonly instance: string
}
interface Alive {
  readonly now: string
}
interface Trouble {
  /**
   * As in `Refusal`; `session_damaged`: what can be read has been sent. `session_not_found`: it was deleted.
   * `history_changed`: it is another session than the one that the page has.
   */
  readonly code: string
  readonly message: string
}

/** How a session stands with those who work on it: what its events alone do not tell. */
export interface Standing {
  /**
   * `resting`: there is nothing to do. `running`: a process works. `waiting`: it waits for an answer. `cut_off`: a turn is open
   * or words are queued, and no process has it; `continue` goes on.
   */
  readonly phase: 'resting' | 'running' | 'waiting' | 'cut_off'
  /** Who has the session. */
  readonly holder:
    | null
    | { readonly where: 'here' }
    | {
        readonly where: 'elsewhere'
        /** Such as `held by public-agent (Agent, process 7 on here)`. */
        readonly words: string
        /** Whether it can be reached through the inbox of the session. */
        readonly takes: boolean
      }
  readonly turnId: string | null
  readonly question: StandingQuestion | null
  /** Words that no turn has taken yet. */
  readonly queue: readonly { readonly inputId: string; readonly text: string }[]
  /** Messages in the inbox that the holder has not taken yet. */
  readonly undelivered: readonly { readonly request: string; readonly kind: string }[]
  /** Why a run of this server did not begin or broke off. */
  readonly trouble: { readonly code: string; readonly message: string } | null
}

/** A question as it is to be shown, with everything that a terminal shows. */
export interface StandingQuestion {
  readonly questionId: string
  readonly kind: 'permit' | 'question'
  /** Whether a plan is to be carried out; its text is the question. */
  readonly isPlan: boolean
  /** A digest of all of it, which an answer names. */
  readonly shown: string
  readonly askedAt: string
  /** The few words that a question came with; of a permission, the title of the tool, where it has one. */
  readonly title: string | null
  readonly tool: string | null
  /** The whole preview, diff or question. */
  readonly text: string
  readonly options: readonly { readonly label: string; readonly description?: string }[]
  readonly reason: string | null
  /** What the model says about it. */
  readonly why: string | null
  readonly reach: string | null
  readonly choices: readonly PermitChoice[]
}

/** What may be answered to a permission, as at the terminal. */
export type PermitChoice = {
  readonly letter: string
  readonly label: string
  /** The rule that this adds. */
  readonly rule?: string
} & (
  | { readonly send: GivenAnswer; readonly further?: undefined }
  | {
      readonly send?: undefined
      /** What has to be answered first. */
      readonly further: { readonly title: string; readonly choices: readonly PermitChoice[] }
    }
)

/** How often a stream says that it is alive. A page that has heard nothing for three times as long connects again. */
export const aliveMs = 5_000

/** GET /api/sessions/:id/diff?turn=ID or ?call=ID; of the whole session without either. As `loader diff --json`. */
export interface DiffAnswer {
  readonly session: string
  readonly turnIds: readonly string[]
  /** Ids of trees; null when nothing was changed. */
  readonly before: string | null
  readonly after: string | null
  readonly files: readonly {
    readonly path: string
    readonly change: 'added' | 'modified' | 'deleted' | 'mode' | 'type'
    readonly added?: number | undefined
    readonly removed?: number | undefined
  }[]
  /** Absent when nothing was kept of the files, and then `why` says so. */
  readonly patch: string
  readonly unseen: readonly { readonly turnId: string; readonly why: string }[]
}
export interface DiffRequest {
  readonly turn?: string
  readonly call?: string
}

/** GET /api/sessions/:id/link: an address that shows this session alone, read-only. */
export interface LinkAnswer {
  /** To be put behind the address of the page: `#token=…`. */
  readonly fragment: string
}

/** The element that holds the data of a page without a server. */
export const dataElement = 'loader-data'

/** What that element holds, as JSON: `loader export --format html` is the page with this inside. */
export interface PageData {
  readonly protocol: number
  readonly kind: 'export'
  /** The same document that `--format json` writes: every event, and the long texts by name. */
  readonly document: ExportOutput
  /** As it was at the time of the export. */
  readonly row: SessionRow
  /** What changed in files, as far as it was kept: of `all`, of `turn ID`. */
  readonly diffs?: Readonly<Record<string, DiffAnswer>>
}
