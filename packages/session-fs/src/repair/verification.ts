import type { SeqRange } from './seq-ranges.ts'

/** What was found of a session, file by file. */
export interface Verification {
  readonly id: string
  /** Whether everything that was ever acknowledged is there, as it was written. */
  readonly intact: boolean
  readonly events: {
    /** 0 when there is none that can be read. */
    readonly first: number
    readonly last: number
    /** Events that were acknowledged and cannot be read. */
    readonly missing: readonly SeqRange[]
  }
  readonly files: readonly VerifiedFile[]
  readonly findings: readonly VerifyFinding[]
}

export interface VerifiedFile {
  /** Name in the folder of the sessions. */
  readonly file: string
  readonly kind: 'head' | 'segment' | 'journal' | 'blob' | 'lock' | 'aside' | 'temporary' | 'other'
  readonly bytes: number
  /** What it holds, in words. */
  readonly found: string
}

export interface VerifyFinding {
  readonly file: string
  /** Where in the file it begins, where that can be told. */
  readonly offset?: number
  /** damaged_segment, missing_events, head_differs, torn_tail, … */
  readonly what: string
  readonly message: string
  /** `damage` was done to what was written; a `note` costs nothing, such as what a crash has left behind. */
  readonly severity: 'damage' | 'note'
}

/** Collects what is found. */
export class Report {
  readonly files: VerifiedFile[] = []
  readonly findings: VerifyFinding[] = []

  file(file: string, kind: VerifiedFile['kind'], bytes: number, found: string): void {
    this.files.push({ file, kind, bytes, found })
  }

  damage(file: string, what: string, message: string, offset?: number): void {
    this.findings.push({ file, ...(offset !== undefined && { offset }), what, message, severity: 'damage' })
  }

  note(file: string, what: string, message: string, offset?: number): void {
    this.findings.push({ file, ...(offset !== undefined && { offset }), what, message, severity: 'note' })
  }
}
