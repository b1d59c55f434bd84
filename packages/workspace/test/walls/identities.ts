import { needing } from '@loader/test-tier'
import { noWalls } from './here.ts'

export interface Identity {
  readonly name: string
  /** Who runs commands; 0 stands for the user of the tests. */
  readonly runs: number
  /** Who owns the workspace. */
  readonly owns: number
  readonly skip: string | undefined
}

const other = 4321
const isRoot = process.getuid?.() === 0
const noRoot = noWalls ?? (isRoot ? undefined : 'only root can become another user')

const all: readonly Identity[] = [
  { name: isRoot ? 'root' : 'the user of the tests', runs: 0, owns: 0, skip: noWalls },
  { name: 'an ordinary user', runs: other, owns: other, skip: noRoot },
  { name: 'root in the workspace of another user', runs: 0, owns: other, skip: noRoot },
]

export const identities: readonly Identity[] = all.map((each) => ({ ...each, name: needing(each.skip, each.name) }))
