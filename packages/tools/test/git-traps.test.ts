import { temporaryWorkspace } from '@loader/test-harness'
import { openWorkspace } from '@loader/workspace'
import { sample } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { gitTool } from '../src/index.ts'
import { gitTraps } from './git-traps.ts'
import { perform } from './perform.ts'
import { type Repository, repository } from './repository.ts'

/** Plain git falls for it; where it does not, the trap proves nothing. */
function isSetFor({ root, git, isSprung }: Repository, call: readonly string[]): boolean {
  try {
    git(...call)
  } catch (error) {
    // What the program does may not be to the liking of git.
    if (!(error instanceof Error)) throw error
  }
  return root !== '' && isSprung()
}

describe('git runs no other program, where plain git does', () => {
  test.each(sample(gitTraps, { quick: 2 }))('for $about', async ({ set, call: [action, ...args] }) => {
    await using looked = await repository()
    await set(looked)
    const { outcome, text } = await perform(gitTool({ root: looked.root }), { action, args })
    expect([looked.isSprung(), text]).toEqual([false, text])
    expect(outcome === 'ok' ? 'Exit code' : text).toContain('Exit code')

    await using side = await temporaryWorkspace()
    await openWorkspace({ root: looked.root, treesFolder: side.path('trees') }).trees?.take()
    expect(looked.isSprung()).toBe(false)

    await using plain = await repository()
    await set(plain)
    expect(isSetFor(plain, [action, ...args])).toBe(true)
  })
})
