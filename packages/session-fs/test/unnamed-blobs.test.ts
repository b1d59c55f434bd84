import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownerOf, Session } from '@loader/session-core'
import { temporaryWorkspace } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { FileSessionStore, type ProcessTable, systemEnvironment } from '../src/index.ts'

const environment = systemEnvironment()
const owner = ownerOf('Agent')
const image = 'iVBORw0KGgo'.repeat(9000)

/** A session with an image that an event names, and one that its writer was about to name when it ended. */
async function leftBehind(directory: string, end: 'in order' | 'at once') {
  const store = new FileSessionStore({ directory }, { processes: processOf(1) })
  const session = await Session.open(store, { environment, owner, id: 's', project: { root: directory } })
  const named = await session.blobs.put(image)
  const data = { blob: named.blob, bytes: named.bytes, excerpt: '' }
  const files = [{ type: 'file' as const, mediaType: 'image/png', source: { kind: 'base64' as const, data } }]
  await session.append({ type: 'input.queued', inputId: 'in_1', text: 'Look.', files })
  const unnamed = await session.blobs.put(`${image}AAAA`)
  if (end === 'in order') await session.close()
  return {
    store: new FileSessionStore({ directory }, { processes: processOf(2) }),
    named: named.blob,
    unnamed: unnamed.blob,
  }
}

/** The process with this number; every other one is not there any more. */
function processOf(pid: number): ProcessTable {
  const self = { pid, host: 'here', bootId: 'boot', pidNamespace: null, startedAt: null }
  return { self, stateOf: (other) => (other.pid === pid ? 'alive' : 'dead') }
}

function blobs(directory: string): string[] {
  return readdirSync(join(directory, 's.blobs'))
}

describe('a blob that its writer did not come to name', () => {
  test('is told by verify, and is no damage', async () => {
    await using workspace = await temporaryWorkspace()
    const { store, unnamed } = await leftBehind(workspace.root, 'in order')
    expect(await store.verify('s')).toMatchObject({
      intact: true,
      findings: [{ what: 'unnamed_blob', severity: 'note', file: `s.blobs/${unnamed}` }],
    })
  })

  test('goes with the next claim, and what is named stays', async () => {
    await using workspace = await temporaryWorkspace()
    const { store, named } = await leftBehind(workspace.root, 'at once')
    const { writer } = await store.claim('s', { owner, expect: 'existing' })
    expect(blobs(workspace.root)).toEqual([named])
    expect(await writer.blobs.get(named)).toBe(image)
    await writer.release()
    expect((await store.verify('s')).findings).toEqual([])
  })

  test('stays where anything is damaged, because its name may have stood there', async () => {
    await using workspace = await temporaryWorkspace()
    const { store, named, unnamed } = await leftBehind(workspace.root, 'at once')
    const path = join(workspace.root, 's.blobs', named)
    writeFileSync(path, 'another content')
    const { writer } = await store.claim('s', { owner, expect: 'existing' })
    await writer.release()
    expect(existsSync(join(workspace.root, 's.blobs', unnamed))).toBe(true)
    expect((await store.verify('s')).findings).toMatchObject([
      { what: 'damaged_blob', severity: 'damage' },
      { what: 'unnamed_blob', severity: 'note' },
    ])
  })
})
