import nodeFileSystem, { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { InboxMessage } from '@loader/session-core/coding'
import { systemError } from '@loader/test-harness/faults'
import { sample } from '@loader/test-tier'
import { expect, test } from 'vitest'
import { fill, place, type Place } from './sample-sessions.ts'

const words = (id: string, text = `Words of ${id}, with "quotes".`): InboxMessage => ({
  id,
  from: 'browser',
  kind: 'words',
  text,
})

async function withMessage(options = {}): Promise<Place & { readonly file: string }> {
  const at = await place(options)
  await fill(at.store, 'one', 3)
  await at.store.inbox('one').put(words('a'))
  const [name = ''] = readdirSync(at.path('one.inbox'))
  return { ...at, file: join('one.inbox', name) }
}

async function found({ store }: Place) {
  const { intact, findings } = await store.verify('one')
  return { intact, whats: findings.map(({ what }) => what), messages: await store.inbox('one').messages() }
}

const numbersTo = (end: number) => Array.from({ length: end }, (_unused, index) => index)
const damaged = { intact: false, whats: ['damaged_message'], messages: [] }

test('a message of which any bit differs, or that was cut off anywhere, is not taken and is named as damaged', async () => {
  await using at = await withMessage()
  const whole = Buffer.from(at.bytes()[at.file] ?? '', 'latin1')
  const put = (bytes: Uint8Array) => writeFileSync(at.path(at.file), bytes)
  for (const bit of sample(numbersTo(whole.length * 8), { quick: 40, ci: 300 })) {
    const bytes = Buffer.from(whole)
    bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7))
    put(bytes)
    const { intact, messages } = await found(at)
    // The name of the checksum itself: what the message says is as it was written.
    if (messages.length > 0) expect(messages).toEqual([words('a')])
    else expect(intact).toBe(false)
  }
  for (const length of sample(numbersTo(whole.length), { quick: 20, ci: 50 })) {
    put(whole.subarray(0, length))
    expect(await found(at)).toEqual(damaged)
  }
  put(whole)
  expect(await found(at)).toEqual({ intact: true, whats: ['inbox'], messages: [words('a')] })
})

test('a message that is sent again takes the place of one that was damaged, and of no other', async () => {
  await using at = await withMessage()
  writeFileSync(at.path(at.file), '')
  await at.store.inbox('one').put(words('a', 'Again.'))
  await at.store.inbox('one').put(words('a', 'And again.'))
  expect(await found(at)).toMatchObject({ intact: true, messages: [words('a', 'Again.')] })
})

test('one that cannot be opened is not taken for stored when it is sent again', async () => {
  await using at = await withMessage()
  rmSync(at.path(at.file))
  mkdirSync(at.path(at.file))
  await expect(at.store.inbox('one').put(words('a'))).rejects.toMatchObject({ code: 'storage_refused' })
  expect(await found(at)).toEqual({ intact: false, whats: ['unreadable_message'], messages: [] })
})

test('a message under the name of another one is not taken again and again', async () => {
  await using at = await withMessage()
  writeFileSync(at.path(join('one.inbox', `${'0'.repeat(32)}.json`)), at.bytes()[at.file] ?? '')
  const { intact, messages } = await found(at)
  expect({ intact, messages }).toEqual({ intact: false, messages: [words('a')] })
})

test('messages of older versions, which have no checksum, and those of newer kinds stay what they are', async () => {
  await using at = await withMessage()
  const rest = { order: 5, message: words('a') }
  writeFileSync(at.path(at.file), `${JSON.stringify(rest)}\n`)
  expect(await found(at)).toEqual({ intact: true, whats: ['inbox'], messages: [words('a')] })
  writeFileSync(at.path(at.file), `${JSON.stringify({ ...rest, message: { ...rest.message, kind: 'song' } })}\n`)
  expect(await found(at)).toEqual({ intact: true, whats: ['newer_message'], messages: [] })
  const before = at.bytes()
  await at.store.inbox('one').put(words('a'))
  expect(at.bytes()).toEqual(before)
})

test('what is no message is refused with words, and leaves nothing', async () => {
  await using at = await withMessage()
  const before = at.bytes()
  for (const wrong of [null, {}, { ...words('b'), kind: 'song' }, { ...words('b'), text: '' }])
    await expect(at.store.inbox('one').put(wrong as never)).rejects.toMatchObject({ code: 'invalid_message' })
  expect(at.bytes()).toEqual(before)
})

test('messages are kept where the file system has no hard links', async () => {
  await using at = await withMessage()
  const linkSync = () => {
    throw systemError('EPERM', { syscall: 'link' })
  }
  const store = at.open({ fileSystem: { ...nodeFileSystem, linkSync } })
  await store.inbox('one').put(words('b'))
  await store.inbox('one').put(words('b', 'Other.'))
  expect(await store.inbox('one').messages()).toEqual([words('a'), words('b')])
})
