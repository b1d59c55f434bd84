import type { EntryKind } from '@loader/session-core/coding'
import type { CompletionReason } from '../../src/timeline/completion-entry.ts'
import type { RepairReason } from '../../src/timeline/repair-entry.ts'

export const completionRows: readonly [stage: string, outcome: CompletionReason['outcome'], kind: EntryKind][] = [
  ['text_loop', 'finalize', 'completion_finalize'],
  ['continuation_check', 'accept', 'completion_check'],
  ['continuation_check', 'continue', 'completion_continue'],
  ['continuation_check', 'finalize', 'completion_finalize'],
  ['definition_of_done', 'continue', 'completion_continue'],
  ['definition_of_done', 'complete', 'completion_complete'],
  ['a stage of its own', 'continue', 'completion_continue'],
  ['a stage of its own', 'finalize', 'completion_finalize'],
  ['a stage of its own', 'accept', 'completion_complete'],
]

export const repairRows: readonly [stage: string, outcome: RepairReason['outcome'], kind: EntryKind][] = [
  ['empty_response', 'retry', 'repair_retry'],
  ['empty_response', 'failed', 'repair_fail'],
  ['raw_text_tool_fallback', 'retry', 'repair_retry'],
]

export const observationStatuses = ['planned', 'pending', 'stale', 'passed', 'failed', 'skipped', 'missing'] as const

export const routeKindRows = [
  ['initial_route', 'route'],
  ['requested', 'route'],
  ['artifact_reuse', 'route'],
  ['forced', 'route'],
  ['handoff', 'handoff'],
  ['reentry', 'reentry'],
] as const
