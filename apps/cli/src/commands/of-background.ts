// Commands about background commands, which load what finds processes.
export { run as ps } from './ps.ts'
export { run as stop } from './stop.ts'
