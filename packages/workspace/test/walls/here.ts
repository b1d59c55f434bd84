import { findWalls } from '@loader/workspace'

const available = await (await findWalls({ root: '/nowhere' })).available()

/** Why there are no walls here; undefined when there are. */
export const noWalls = available.kind === 'none' ? available.why : undefined

if (noWalls !== undefined) console.warn(`Walls are not tested here: ${noWalls}.`)
