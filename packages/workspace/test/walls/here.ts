import { findWalls, programOnPath } from '@loader/workspace'

const available = await (await findWalls({ root: '/nowhere' })).available()

/** Why there are no walls here; undefined when there are. */
export const noWalls = available.kind === 'none' ? available.why : undefined

if (noWalls !== undefined) console.warn(`Walls are not tested here: ${noWalls}.`)

/** Why a hostile program gets nowhere here, walls or not. */
export function lackOf({ program }: { readonly program: string }): string | undefined {
  return /\bsocat\b/.test(program) && !hasSocat ? 'socat is not installed' : undefined
}

const hasSocat = programOnPath('socat', { PATH: process.env['PATH'] ?? '' }, '/nowhere') !== undefined
