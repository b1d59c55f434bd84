import { MemoryFileSystem } from './memory-file-system.ts'
import { expect, test } from 'vitest'
import { FileSessionStore, type FileSystem } from '../src/index.ts'

const owner = { type: 'Test', path: 'test' }
const at = '2026-01-01T00:00:00.000Z'
const opened = { type: 'session.opened', seq: 1, at, format: 1, id: 'one' } as const
const custom = (seq: number) => ({ type: 'custom.recorded', seq, at, name: 'x'.repeat(400), data: null }) as const

/** The folder of a session after each of so many appends, each of which seals what was before it. */
async function sealedAgainAndAgain(count: number): Promise<MemoryFileSystem[]> {
  const disk = new MemoryFileSystem()
  disk.mkdirSync('/w')
  const store = new FileSessionStore({ directory: '/w' }, { fileSystem: disk, rotateAfterBytes: 300 })
  const { writer } = await store.claim('one', { owner, expect: 'new' })
  await writer.append([opened], 'flush')
  const states = [new MemoryFileSystem(disk)]
  for (let seq = 2; seq <= count; seq += 1) {
    await writer.append([custom(seq)], 'flush')
    states.push(new MemoryFileSystem(disk))
  }
  await writer.release()
  return states
}

/** Whoever looks at the journal sees the folder as it is one append later than when the segments were looked at. */
function movingOn(states: readonly MemoryFileSystem[]): FileSystem {
  let now = 0
  const opened = new Map<number, MemoryFileSystem>()
  const state = () => states[now] as MemoryFileSystem
  const moveAt = (path: string) => {
    if (path.endsWith('.journal.jsonl')) now = Math.min(now + 1, states.length - 1)
  }
  return new Proxy(state(), {
    get(_target, name: keyof MemoryFileSystem) {
      return (...args: unknown[]) => {
        if ((name === 'openSync' || name === 'readFileSync') && typeof args[0] === 'string') moveAt(args[0])
        const at = typeof args[0] === 'number' ? (opened.get(args[0]) ?? state()) : state()
        const result: unknown = (at[name] as (...args: unknown[]) => unknown).apply(at, args)
        if (name === 'openSync') opened.set(result as number, at)
        return result
      }
    },
  })
}

test('a reader that is slower than a writer that seals reads on, and tells of no damage', async () => {
  const states = await sealedAgainAndAgain(60)
  const store = new FileSessionStore({ directory: '/w' }, { fileSystem: movingOn(states) })
  const seen: number[] = []
  for await (const { seq } of store.read('one')) seen.push(seq)
  expect(seen).toEqual(Array.from({ length: 60 }, (_unused, index) => index + 1))
})
