// Commands that need the store and little else. They are loaded together: many small files take longer than one.
export { run as deleted } from './delete.ts'
export { run as exported } from './export.ts'
export { run as fork } from './fork.ts'
export { run as promptDiff } from './prompt-diff.ts'
export { run as promptShow } from './prompt-show.ts'
export { run as rename } from './rename.ts'
export { run as show } from './show.ts'
export { run as usage } from './usage.ts'
