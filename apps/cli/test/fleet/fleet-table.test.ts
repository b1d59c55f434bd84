import { describe, expect, test } from 'vitest'
import type { FleetOutput } from '../../src/schemas/fleet.ts'
import { FleetOutput as Output } from '../../src/schemas/fleet.ts'
import { widthOf } from '../../src/screen/width.ts'
import { fleetTable } from '../../src/tables/fleet-table.ts'

const session = {
  id: 'ses_1m7t2ks69yy0630emy28',
  title: 'Mend the sum 日本語',
  project: '/home/ann/shop',
  worker: null,
  leaseLeftSeconds: null,
  waitsForSeconds: 3_725.4,
  kills: 0,
  reason: null,
} as const

const fleet: FleetOutput = Output.parse({
  workers: [
    {
      id: 'builder-7.eu-central.example-4242-b4e8',
      host: 'builder-7',
      pid: 4242,
      version: '0.1.0',
      projects: '/work',
      concurrency: 2,
      sessions: 1,
      there: true,
      goneForSeconds: 0,
    },
    {
      id: 'gone-1',
      host: null,
      pid: null,
      version: null,
      projects: null,
      concurrency: null,
      sessions: 0,
      there: false,
      goneForSeconds: 200_000,
    },
  ],
  sessions: [
    { ...session, standing: 'queued' },
    { ...session, standing: 'running', worker: 'builder-7.eu-central.example-4242-b4e8', leaseLeftSeconds: 29 },
    { ...session, standing: 'waiting', reason: 'may bash run? rm -rf build && npm run build -- --mode production' },
    {
      ...session,
      standing: 'parked',
      kills: 3,
      reason: '3 workers in a row ended while they had it: \u001b[31mit broke\u001b[0m',
    },
  ],
  counts: { queued: 1, running: 1, waiting: 1, parked: 1 },
})

describe.each([60, 80, 120])('a fleet in %i columns', (width) => {
  const lines = fleetTable(fleet, { width, paint: (_style, text) => text })

  test('fits, shows every worker and session, and obeys nothing that they say', () => {
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(width)
    expect(lines.join('\n')).not.toContain('\u001b')
    expect(lines.filter((text) => text.includes(session.id))).toHaveLength(4)
    for (const word of ['queued', 'running', 'waiting', 'parked', '1h', 'now', '2d ago', '1/2', '0/?']) {
      expect(lines.join('\n')).toContain(word)
    }
  })

  test('says first how many there are of each', () => {
    expect(lines[0]).toBe('1 worker: 1 queued, 1 running, 1 waiting, 1 parked')
  })
})
