import * as z from 'zod'
import { CopyOutput } from './sessions-copy.ts'
import { DiffOutput } from './diff.ts'
import { DoctorOutput } from './doctor.ts'
import { VerifyOutput } from './verify.ts'
import {
  EvidenceOutput,
  LedgerOutput,
  PromptDiffOutput,
  PromptShowOutput,
  SessionsOutput,
  ShowOutput,
  StatusOutput,
  TimelineOutput,
  UsageOutput,
  WhyOutput,
} from '@loader/readings'
import { ExportOutput } from '@loader/session-core'
import { PsOutput, StopOutput } from './background.ts'
import { ForkOutput } from './fork.ts'
import { ImportOutput } from './import.ts'
import { AcceptOutput } from './accept.ts'
import { CheckOutput } from './check.ts'
import { RewindOutput } from './rewind.ts'
import { SkillsOutput } from './skills.ts'

/** The --json output of commands about sessions, by command; and the format of an export. */
export const outputSchemas = {
  diff: DiffOutput,
  doctor: DoctorOutput,
  verify: VerifyOutput,
  evidence: EvidenceOutput,
  export: ExportOutput,
  fork: ForkOutput,
  import: ImportOutput,
  ledger: LedgerOutput,
  'prompt-diff': PromptDiffOutput,
  'prompt-show': PromptShowOutput,
  accept: AcceptOutput,
  check: CheckOutput,
  ps: PsOutput,
  rewind: RewindOutput,
  sessions: SessionsOutput,
  'sessions-copy': CopyOutput,
  show: ShowOutput,
  skills: SkillsOutput,
  status: StatusOutput,
  stop: StopOutput,
  timeline: TimelineOutput,
  usage: UsageOutput,
  why: WhyOutput,
} as const

/** The same as JSON Schema, for programs in other languages. */
export function jsonSchemas(): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(outputSchemas).map(([name, schema]) => [
      name,
      z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }),
    ]),
  )
}
