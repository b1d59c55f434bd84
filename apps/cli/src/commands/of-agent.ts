// Commands that load the agent or much of it, except for runs.
export { run as accept } from './accept.ts'
export { run as check } from './check.ts'
export { run as demo } from './demo.ts'
export { run as doctor } from './doctor.ts'
export { run as imported } from './import.ts'
export { run as models } from './models.ts'
export { run as replay } from './replay.ts'
export { run as rewind } from './rewind.ts'
