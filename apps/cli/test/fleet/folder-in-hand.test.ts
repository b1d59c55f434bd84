import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemProcesses } from '@loader/session-fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { takeInHand } from '../../src/fleet/folder-in-hand.ts'

let projects: string
beforeEach(() => {
  projects = mkdtempSync(join(tmpdir(), 'hands-'))
})
afterEach(() => rmSync(projects, { recursive: true, force: true }))

/** This process and others beside it, which end when they are told to. */
function processTable() {
  const dead = new Set<number>()
  const { self } = systemProcesses()
  const process = (pid: number) => ({
    self: { ...self, pid },
    stateOf: (other: { readonly pid: number }) => (dead.has(other.pid) ? ('dead' as const) : ('alive' as const)),
  })
  return { process, end: (pid: number) => void dead.add(pid) }
}

test('a folder is in one hand, also within a process, until it is let go or the process ends', () => {
  const { process, end } = processTable()
  const first = takeInHand(projects, join(projects, 'a'), process(1))
  expect(first?.folder).toBe(join(projects, 'a'))
  expect(takeInHand(projects, join(projects, 'a'), process(1))).toBeUndefined()
  expect(takeInHand(projects, join(projects, 'a/below/it'), process(2))).toBeUndefined()
  // Names that begin alike are others.
  expect(takeInHand(projects, join(projects, 'a.2'), process(2))).toBeDefined()
  first?.[Symbol.dispose]()
  expect(takeInHand(projects, join(projects, 'a'), process(3))).toBeDefined()
  expect(takeInHand(projects, join(projects, 'a'), process(4))).toBeUndefined()
  end(3)
  expect(takeInHand(projects, join(projects, 'a'), process(4))).toBeDefined()
  expect(readdirSync(join(projects, '.in-hand')).sort()).toEqual(['a.2.1', 'a.3'])
})

test('what cannot be read, or lies where it should not, keeps nobody out', () => {
  const hands = join(projects, '.in-hand')
  mkdirSync(hands)
  for (const [name, text] of Object.entries({ 'a.1': '', 'b.7': '{"pid":', 'c.1': '"x"', 'd.x': 'free\n' })) {
    writeFileSync(join(hands, name), text)
  }
  for (const name of ['a', 'b', 'c', 'd']) {
    const hand = takeInHand(projects, join(projects, name))
    expect(hand).toBeDefined()
    expect(takeInHand(projects, join(projects, name))).toBeUndefined()
    hand?.[Symbol.dispose]()
  }
  // A folder that is gone with all that is in it is in nobody's hand, and letting go of it is no error.
  const hand = takeInHand(projects, join(projects, 'e'))
  rmSync(hands, { recursive: true })
  hand?.[Symbol.dispose]()
  expect(existsSync(hands)).toBe(false)
})
