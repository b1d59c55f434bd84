import type { StoredEvent } from '@loader/session-core'
import { FileSessionStore } from '../../src/index.ts'
import { opened, owner } from './events.ts'

// What a session of so many bytes costs in memory, told in MB: `make` writes one, the others look at it. What loading the
// sources takes is told apart: Node translates them, which the built package has behind it.

const loaded = process.resourceUsage().maxRSS
const [how = '', directory = '', megabytes = '1', bytesOfEvent = '16384'] = process.argv.slice(2)
const store = new FileSessionStore({ directory }, { commit: 'inline' })

async function make(): Promise<number> {
  const { writer } = await store.claim('long', { owner, expect: 'new' })
  const size = Number(bytesOfEvent)
  const last = Math.ceil((Number(megabytes) * 1024 * 1024) / size)
  const { at } = opened('long')
  await writer.append([opened('long')], 'os')
  for (let from = 2; from <= last; from += 16) {
    const seqs = Array.from({ length: Math.min(16, last - from + 1) }, (_none, index) => from + index)
    const data = (seq: number) => `${seq} `.padEnd(size - 100, 'x')
    await writer.append(
      seqs.map((seq): StoredEvent => ({ type: 'custom.recorded', seq, at, name: 'long', data: data(seq) })),
      'os',
    )
  }
  await writer.release()
  return last
}

async function read(): Promise<number> {
  let last = 0
  for await (const { seq } of store.read('long', { gaps: 'mark' })) last = seq
  return last
}

async function claim(): Promise<number> {
  const { writer, state, events } = await store.claim('long', { owner, expect: 'existing' })
  await writer.release()
  return events.at(-1)?.seq ?? state?.seq ?? 0
}

async function verify(): Promise<number> {
  const { intact, events } = await store.verify('long')
  return intact ? events.last : -1
}

const last = await { make, read, claim, verify }[how as 'make' | 'read' | 'claim' | 'verify']()
console.log(
  JSON.stringify({ last, loaded: inMegabytes(loaded), megabytes: inMegabytes(process.resourceUsage().maxRSS) }),
)

function inMegabytes(kilobytes: number): number {
  return Math.round(kilobytes / 1024)
}
