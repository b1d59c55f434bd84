import type { VerifiedFile, VerifyFinding } from '@loader/session-core'

/** Collects the files and the findings of a verification. */
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
