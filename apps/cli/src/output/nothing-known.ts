import { defaultPermissionMode } from '@loader/workflow'
import type { RunHead } from './printer.ts'

/** What is known of a run before it began, or of one that never came to be. */
export const nothingKnown: RunHead = {
  sessionId: '',
  model: '',
  tools: [],
  permissionMode: defaultPermissionMode,
  folder: '',
  seq: 0,
  task: '',
}
