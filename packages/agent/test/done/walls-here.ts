import { tmpdir } from 'node:os'
import { wallsAround } from '@loader/workspace'

const { state } = await wallsAround({ root: tmpdir() }).state()

/** Why checks that a project declares are not run on this machine; undefined where they are. */
export const lack = state === 'held' ? undefined : 'there are no walls here'
export const hasWalls = lack === undefined
