import { LoaderError } from '@loader/session-core'
import { ActRefused } from '@loader/web/server'
import { expect, test } from 'vitest'
import { asRefusal } from '../../src/web/acting/refusals.ts'
import { parseStoreAddress } from '../../src/settings/store-address.ts'
import { servedSessions } from '../../src/web/served-sessions.ts'
import type { ServedFrom } from '../../src/web/sessions/located.ts'
import { Standings } from '../../src/web/standing/standings.ts'

test('a database that is away is not a list without sessions', async () => {
  const address = parseStoreAddress('postgres://loader@127.0.0.1:1/none')
  const from = { address, places: {}, console: { environment: {} } } as unknown as ServedFrom
  const standings = new Standings({ has: () => undefined, trouble: () => null }, undefined, () => true)
  const sessions = servedSessions(from, { standings, secrets: [] })
  await expect(sessions.list({})).rejects.toMatchObject({ code: 'storage_refused' })
})

test('files that are not those of a session are a refusal, with the words for it', () => {
  const error = new LoaderError('workspace_differs', 'The files in /p are not as session one knows them: a.txt.')
  const refused = () => asRefusal(error)
  expect(refused).toThrow(ActRefused)
  expect(refused).toThrow('a.txt')
})
