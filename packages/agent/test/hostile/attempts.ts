// The same places and calls as in the tests of the packages below, this time tried by a model through the whole agent.

// @boundaries-ignore shared table
export { stage as surroundings, type Stage as Surroundings } from '../../../tools/test/stage.ts'
// @boundaries-ignore shared table
export { type HostilePath, hostilePaths } from '../../../tools/test/hostile-paths.ts'
// @boundaries-ignore shared table
export { type HostileCall, hostileCalls } from '../../../tools/test/hostile-calls.ts'
// @boundaries-ignore shared table
export { type Repository, repository, secretLine } from '../../../tools/test/repository.ts'
