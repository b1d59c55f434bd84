import { Session } from '@loader/session-core'
import { describe, expect, test } from 'vitest'
import { networkFinding } from '../src/disk/network-file-system.ts'
import { environment, load, place } from './sample-sessions.ts'

const nfs = 0x69_69
const ext4 = 0xef_53

describe('a folder on a network file system', () => {
  test('is said at every claim, and looked at once', async () => {
    let looks = 0
    await using at = await place({
      fileSystemType: () => {
        looks += 1
        return nfs
      },
    })
    for (const id of ['one', 'two']) {
      const session = await Session.open(at.store, { environment, id })
      expect(session.recovery.findings).toMatchObject([{ what: 'network_file_system' }])
      expect(session.recovery.findings[0]?.message).toContain(`${at.directory} is on NFS`)
      await session.close()
    }
    await (await load(at.store, 'one')).close()
    expect(looks).toBe(1)
  })

  test('is told by its number on Linux, however it is signed, and by its name on Windows', () => {
    expect(networkFinding('/w', 0xff_53_4d_42)?.message).toContain('SMB')
    expect(networkFinding('/w', 0xff_53_4d_42 | 0)?.message).toContain('SMB')
    expect(networkFinding('\\\\server\\share', undefined)?.message).toContain('network share')
  })
})

describe('a local folder', () => {
  test('is nothing to speak of, nor is one of which nothing is known', async () => {
    expect(networkFinding('/w', ext4)).toBeUndefined()
    expect(networkFinding('/w', undefined)).toBeUndefined()
    await using at = await place()
    const session = await Session.open(at.store, { environment, id: 'one' })
    expect(session.recovery.findings).toEqual([])
    await session.close()
  })
})
