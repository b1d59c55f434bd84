import { describe, expect, test } from 'vitest'
import { systemCallFilters } from '../../src/walls/system-calls.ts'

const allowed = 0x7fff_0000
const refused = (errno: number) => 0x0005_0000 | errno
const x64 = 0xc000_003e
const x86 = 0x4000_0003
const arm64 = 0xc000_00b7
const arm = 0x4000_0028

/** What the kernel does with a call: it goes through the instructions, of which filters of ours have five kinds. */
function verdict(filter: Uint8Array, machine: number, call: number, ...args: readonly number[]): number {
  const code = new DataView(filter.buffer, filter.byteOffset, filter.length)
  const input = new DataView(new ArrayBuffer(64))
  input.setUint32(0, call, true)
  input.setUint32(4, machine, true)
  for (const [index, value] of args.entries()) input.setUint32(16 + 8 * index, value, true)
  let loaded = 0
  for (let at = 0; at * 8 < filter.length; at += 1) {
    const value = code.getUint32(at * 8 + 4, true)
    const jump = (holds: boolean) => code.getUint8(at * 8 + (holds ? 2 : 3))
    switch (code.getUint16(at * 8, true)) {
      case 0x20:
        loaded = input.getUint32(value, true)
        break
      case 0x15:
        at += jump(loaded === value)
        break
      case 0x45:
        at += jump((loaded & value) !== 0)
        break
      case 0x06:
        return value
      default:
        throw new Error('The kernel would not take this.')
    }
  }
  throw new Error('The filter has no end.')
}

const filtersOf = (machine: string) =>
  systemCallFilters(machine) ?? { none: new Uint8Array(), shared: new Uint8Array() }

describe.each([
  {
    machine: 'x64',
    audit: x64,
    keys: [248, 249, 250],
    socket: 41,
    mode: [90, 91, 85, 133],
    modeAt: [268, 452, 259],
    open: [2],
    openAt: 257,
  },
  {
    machine: 'x64',
    audit: x86,
    keys: [286, 287, 288],
    socket: 359,
    mode: [15, 94, 8, 14],
    modeAt: [306, 452, 297],
    open: [5],
    openAt: 295,
  },
  {
    machine: 'arm64',
    audit: arm64,
    keys: [217, 218, 219],
    socket: 198,
    mode: [52],
    modeAt: [53, 452, 33],
    open: [],
    openAt: 56,
  },
  {
    machine: 'arm64',
    audit: arm,
    keys: [309, 310, 311],
    socket: 281,
    mode: [15, 94, 8, 14],
    modeAt: [333, 452, 324],
    open: [5],
    openAt: 322,
  },
])('programs for $audit on $machine', ({ machine, audit, keys, socket, mode, modeAt, open, openAt }) => {
  const { none, shared } = filtersOf(machine)

  test('get no keys of the kernel', () => {
    for (const filter of [none, shared]) {
      for (const call of keys) expect(verdict(filter, audit, call)).toBe(refused(38))
    }
  })

  test('get sockets that walls hold, and others with the network alone', () => {
    for (let family = 0; family < 64; family += 1) {
      const isHeld = [1, 2, 10, 16].includes(family)
      expect(verdict(none, audit, socket, family)).toBe(isHeld ? allowed : refused(97))
      expect(verdict(shared, audit, socket, family)).toBe(allowed)
    }
  })

  test('get no calls whose arguments a filter cannot see', () => {
    for (const filter of [none, shared]) {
      for (const call of [425, 437]) expect(verdict(filter, audit, call)).toBe(refused(38))
    }
  })

  test('make files with every mode but that, and open others whatever stands in place of a mode', () => {
    const outcome = (flags: number, each: number) => {
      const all = [none, shared].flatMap((filter) => [
        ...open.map((call) => verdict(filter, audit, call, 0, flags, each)),
        verdict(filter, audit, openAt, 0, 0, flags, each),
      ])
      expect(new Set(all).size).toBe(1)
      return all[0]
    }
    const [creates, isTemporary] = [0o100, 0o20200000]
    for (const flags of [creates, creates | 0o2, isTemporary | 0o2]) {
      expect(outcome(flags, 0o4755)).toBe(refused(1))
      for (const each of [0o644, 0o755, 0o2775]) expect(outcome(flags, each)).toBe(allowed)
    }
    for (const each of [0o4755, -1]) expect(outcome(0o2, each)).toBe(allowed)
  })

  test('set every mode but that which gives the rights of the owner', () => {
    for (const filter of [none, shared]) {
      for (const each of [0o644, 0o2775, 0o1777]) {
        for (const call of mode) expect(verdict(filter, audit, call, 0, each)).toBe(allowed)
        for (const call of modeAt) expect(verdict(filter, audit, call, 0, 0, each)).toBe(allowed)
      }
      for (const each of [0o4755, 0o6755]) {
        for (const call of mode) expect(verdict(filter, audit, call, 0, each)).toBe(refused(1))
        for (const call of modeAt) expect(verdict(filter, audit, call, 0, 0, each)).toBe(refused(1))
      }
    }
  })

  test('do everything else', () => {
    const others = Array.from({ length: 600 }, (_, call) => call).filter(
      (call) => ![...keys, socket, ...mode, ...modeAt, 425, 437].includes(call) && !(audit === x86 && call === 102),
    )
    for (const call of others) expect(verdict(none, audit, call)).toBe(allowed)
  })
})

test('the ways around on an x64 machine are shut: one call for all of sockets, and numbers of yet another machine', () => {
  const { none, shared } = filtersOf('x64')
  expect(verdict(none, x86, 102)).toBe(refused(38))
  expect(verdict(shared, x86, 102)).toBe(allowed)
  for (const filter of [none, shared]) expect(verdict(filter, x64, 0x4000_0000 + 41, 40)).toBe(refused(38))
})

test('programs for a machine that nobody thought of do nothing', () => {
  for (const machine of ['x64', 'arm64']) expect(verdict(filtersOf(machine).shared, 0xc000_00f3, 64)).toBe(refused(38))
  expect(systemCallFilters('s390x')).toBeUndefined()
})
