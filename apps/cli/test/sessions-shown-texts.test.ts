import { readSession, type SessionStore, summarize } from '@loader/session-core'
import { showReading, type Texts } from '@loader/readings'
import { temporaryWorkspace } from '@loader/test-harness'
import { expect, test } from 'vitest'
import { shownTexts } from '../src/sessions/chosen-session.ts'
import { storeIn } from './written/store-in.ts'
import { openSession, startedCall } from './written/written-session.ts'

test('a conversation in full reads the long texts that it shows, each once, and neither prompts nor images', async () => {
  await using workspace = await temporaryWorkspace()
  const session = await openSession(workspace.root)
  const long = (what: string) => session.storeText(`${what} `.repeat(30_000))
  const [result, prompt, image] = [await long('result'), await long('prompt'), await long('image')]
  if (typeof image === 'string') throw new Error('A text of this length goes to the blobs.')
  const picture = { type: 'file', mediaType: 'image/png', source: { kind: 'base64', data: image } } as const
  await session.append([
    { type: 'prompt.rendered', format: 'native', sections: [], toolsDigest: 'x', text: prompt },
    ...startedCall(1, 'read', { path: 'a' }),
    { type: 'tool.finished', callId: 'call_1', outcome: 'ok', text: result, files: [picture] },
    { type: 'turn.finished', turnId: 'turn_1', reason: 'turn_complete' },
  ])
  await session.close()
  const there = storeIn(workspace.root)
  const { history, state } = await readSession(there, session.id)
  const read: string[] = []
  const store = {
    readBlob: (id: string, blob: string) => (read.push(blob), there.readBlob(id, blob)),
  } satisfies Partial<SessionStore> as unknown as SessionStore
  const reading = (texts: Texts) => showReading(history, { texts })
  const texts = await shownTexts({ store, history, row: summarize(state) }, reading)
  expect(read).toEqual([typeof result === 'string' ? undefined : result.blob])
  expect(JSON.stringify(reading(texts))).toContain('result result result '.repeat(1000))
})
