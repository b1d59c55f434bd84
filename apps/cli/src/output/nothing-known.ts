import { defaultPermissionMode } from '@loader/workflow'
import type { RunHead } from './printer.ts'

/** The head of a run that failed before it began. */
export const nothingKnown: RunHead = {
  sessionId: '',
  model: '',
  tools: [],
  permissionMode: defaultPermissionMode,
  folder: '',
  seq: 0,
  task: '',
}
