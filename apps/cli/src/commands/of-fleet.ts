// Commands about workers. They are loaded together: many small files take longer than one.
export { run as answer } from './answer.ts'
export { run as fleet } from './fleet.ts'
export { run as fleetUnpark } from './fleet-unpark.ts'
export { run as queue } from './queue.ts'
export { run as worker } from './worker.ts'
