// What a run does with hooks, in one chunk.
export { commandHooks } from '@loader/extensions'
export { hooksOfRun } from './hooks-of-run.ts'
