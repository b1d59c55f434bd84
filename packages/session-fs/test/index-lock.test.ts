import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { systemDisk } from '../src/disk/disk.ts'
import { type ProcessTable, systemProcesses } from '../src/disk/process-table.ts'
import { IndexLock } from '../src/list/index-lock.ts'
import { fill, place } from './sample-sessions.ts'

const { self } = systemProcesses()
const container = { ...self, pid: 7, pidNamespace: 'pid:[7]', startedAt: '7' }
const machine = { ...self, pid: 7, host: 'gone', bootId: 'another boot', machineId: null }
const older = { pid: 7, host: self.host, bootId: 'another boot', pidNamespace: self.pidNamespace, startedAt: '7' }

describe('the index of a folder', () => {
  test.each(
    Object.entries({ 'in a container': container, 'on another machine': machine, 'of an older version': older }),
  )('is made anew where who was at it, %s, cannot be asked', async (_where, holder) => {
    await using at = await place()
    await fill(at.store, 'one', 5)
    at.damage('_index.json', (bytes) => void bytes.write('?', 40))
    writeFileSync(at.path('_index.lock'), JSON.stringify(holder))
    writeFileSync(at.path('_index.json.7-7-7.tmp'), 'half of a li')
    await fill(at.open(), 'two', 5)
    expect(at.names().filter((name) => /_index\.(lock|.*tmp)/.test(name))).toEqual([])
    const { rows } = JSON.parse(readFileSync(at.path('_index.json'), 'utf8')) as { rows: { id: string }[] }
    expect(rows.map(({ id }) => id)).toContain('one')
  })
})

describe('who is at the index', () => {
  const tableOf = (pid: number, others: 'alive' | 'unknown'): ProcessTable => ({
    self: { ...self, pid },
    stateOf: (other) => (other.pid === pid ? 'alive' : others),
  })

  test('keeps it while it is known to live', async () => {
    await using at = await place()
    await fill(at.store, 'one', 5)
    const lockOf = (pid: number) => new IndexLock(systemDisk(), at.directory, tableOf(pid, 'alive'))
    const did: number[] = []
    await lockOf(1).alone(async (stillOurs) => {
      await lockOf(2).alone(async () => void did.push(2))
      stillOurs()
      did.push(1)
    })
    expect(did).toEqual([1])
    expect(readdirSync(at.directory)).not.toContain('_index.lock')
  })

  test('stops where another takes it that cannot ask, and leaves that one alone', async () => {
    await using at = await place()
    await fill(at.store, 'one', 5)
    const lockOf = (pid: number) => new IndexLock(systemDisk(), at.directory, tableOf(pid, 'unknown'))
    const did: string[] = []
    await lockOf(1).alone(async (stillOurs) => {
      writeFileSync(at.path('_index.json.1-1-1.tmp'), 'of the first')
      await lockOf(2).alone(async (stillTheirs) => {
        expect(at.names().filter((name) => name.endsWith('.tmp'))).toEqual([])
        expect(stillOurs).toThrow('Another process writes the index')
        stillTheirs()
        did.push('second')
      })
      stillOurs()
      did.push('first')
    })
    expect(did).toEqual(['second'])
    expect(readdirSync(at.directory)).not.toContain('_index.lock')
  })
})
