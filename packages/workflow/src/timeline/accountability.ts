import type { EntryKind } from '@loader/session-core/coding'

/** Whether an entry is about completion, repair or verification, not about the choice of modes. */
export function isAccountability(kind: EntryKind): boolean {
  return isCompletion(kind) || isRepair(kind) || isVerification(kind)
}

export function isCompletion(kind: EntryKind): boolean {
  return kind.startsWith('completion_')
}

export function isRepair(kind: EntryKind): boolean {
  return kind.startsWith('repair_')
}

export function isVerification(kind: EntryKind): boolean {
  return kind.startsWith('verify_')
}

export function isClarification(kind: EntryKind): boolean {
  return kind.startsWith('clarify_')
}

/** Whether an entry chose a mode. */
export function isRoute(kind: EntryKind): boolean {
  return kind === 'route' || kind === 'handoff' || kind === 'reentry'
}
