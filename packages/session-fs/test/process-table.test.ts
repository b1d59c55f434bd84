import { describe, expect, test } from 'vitest'
import { type ProcessIdentity, processState, systemProcesses } from '../src/disk/process-table.ts'

const self: ProcessIdentity = {
  pid: 100,
  host: 'laptop',
  bootId: 'boot-1',
  machineId: 'machine-1',
  pidNamespace: 'pid:[1]',
  startedAt: '500',
}
/** One process lives besides this one: number 7, since tick 40. */
const system = {
  exists: (pid: number) => pid === 100 || pid === 7,
  statusOf: (pid: number) => ({ hasEnded: false, startedAt: pid === 7 ? '40' : '500' }),
}
const holder: ProcessIdentity = { ...self, pid: 7, startedAt: '40' }
const stateOf = (changes: Partial<ProcessIdentity>, from: Partial<ProcessIdentity> = {}) =>
  processState({ ...holder, ...changes }, { ...self, ...from }, system)

describe('the process that holds a lock', () => {
  test.each<[string, Partial<ProcessIdentity>, 'alive' | 'dead' | 'unknown']>([
    ['runs', {}, 'alive'],
    ['has ended', { pid: 8 }, 'dead'],
    ['has ended, and another has its number', { startedAt: '39' }, 'dead'],
    ['runs, on a machine that has another name by now', { host: 'laptop.local' }, 'alive'],
    ['has ended, on a machine that has another name by now', { pid: 8, host: 'laptop.local' }, 'dead'],
    ['ran before the machine was started again', { bootId: 'boot-0' }, 'dead'],
    ['ran before the machine was started again under another name', { bootId: 'boot-0', host: 'old' }, 'dead'],
    ['runs on another machine', { bootId: 'boot-2', machineId: 'machine-2', host: 'desk' }, 'unknown'],
    ['runs on another machine of the same name', { bootId: 'boot-2', machineId: 'machine-2' }, 'unknown'],
    [
      'ran on a machine of the same name that does not say which it is',
      { bootId: 'boot-2', machineId: null },
      'unknown',
    ],
    ['ran in another container', { pidNamespace: 'pid:[2]' }, 'unknown'],
    ['ran in another container, whose host has another name', { pidNamespace: 'pid:[2]', host: 'c0ffee' }, 'unknown'],
  ])('that %s is %s', (_what, changes, expected) => {
    expect(stateOf(changes)).toBe(expected)
  })

  test('is told by its machine name where the system tells nothing else', () => {
    const bare = { bootId: null, machineId: null, pidNamespace: null, startedAt: null }
    expect(stateOf(bare, bare)).toBe('alive')
    expect(stateOf({ ...bare, pid: 8 }, bare)).toBe('dead')
    expect(stateOf({ ...bare, host: 'desk' }, bare)).toBe('unknown')
  })

  test('as an older version wrote it down is asked for in the same way', () => {
    const { machineId: _machineId, ...older } = holder
    expect(processState(older, self, system)).toBe('alive')
    expect(processState({ ...older, bootId: 'boot-0' }, self, system)).toBe('unknown')
  })
})

test('this process lives, whatever its machine is called by now', () => {
  const processes = systemProcesses()
  expect(processes.stateOf(processes.self)).toBe('alive')
  const renamed = processes.stateOf({ ...processes.self, host: 'another name' })
  expect(renamed).toBe(processes.self.bootId === null ? 'unknown' : 'alive')
})
