import { call, line } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { outcomes, resultTexts, talk } from './stage/agent-with-servers.ts'
import { hostileHttp } from './stage/hostile-http.ts'

/** Calls these tools, one after the other. */
async function calling(...names: readonly string[]) {
  await using server = await hostileHttp()
  const lines = [...names.map((name) => line('Now.', call(`evil__${name}`, {}))), line('That is all.')]
  await using one = await talk({ lines, servers: { evil: { url: server.url } } })
  const events = await one.run('Do it')
  return { outcomes: outcomes(events), texts: resultTexts(events), calls: server.calls, servers: one.servers.servers }
}

describe('a server at an address', () => {
  test('that was restarted, and knows the connection no more, is connected with once more', async () => {
    const { outcomes: ended, texts, calls, servers } = await calling('restart', 'good', 'good')
    expect(ended).toEqual(['evil__restart ok', 'evil__good unknown', 'evil__good ok'])
    expect(texts[1]).toContain('it does not know the connection any more (HTTP 404)')
    expect(texts[2]).toBe('good 1')
    expect(calls).toEqual(['restart', 'good'])
    expect(servers).toMatchObject([{ state: 'connected', starts: 2 }])
  })

  test('that sends a stream without an end leaves the call unknown at once, and is connected with once more', async () => {
    const { outcomes: ended, texts, servers } = await calling('stream', 'good')
    expect(ended).toEqual(['evil__stream unknown', 'evil__good ok'])
    expect(texts[0]).toContain('more than 16 MiB')
    expect(servers).toMatchObject([{ state: 'connected', starts: 2 }])
  })

  test('that breaks off or refuses a call is told with the reason, and goes on', async () => {
    const { outcomes: ended, texts, servers } = await calling('drop', 'refuse', 'good')
    expect(ended).toEqual(['evil__drop unknown', 'evil__refuse unknown', 'evil__good ok'])
    expect(texts[0]).toContain('other side closed')
    expect(texts[1]).toContain('HTTP 500')
    expect(servers).toMatchObject([{ state: 'connected' }])
  })
})
