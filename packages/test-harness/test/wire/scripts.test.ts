import { networkInterfaces } from 'node:os'
import { describe, expect, test } from 'vitest'
import { wireServer } from '../../src/wire.ts'
import { bodyOf, dialects, post, says, textOf, user } from './post.ts'

const bearer = (key: string) => ({
  headers: { authorization: `Bearer ${key}`, 'x-api-key': key, 'x-goog-api-key': key },
})

describe.each(dialects)('several scripts on one server, over the API of %s,', (dialect) => {
  const scripts = {
    ann: { key: 'sk-ann', lines: [{ text: 'To Ann.' }, { text: 'Never said.' }] },
    bob: { key: 'sk-bob', lines: [{ text: 'To Bob.' }] },
    all: { lines: [{ text: 'To all.' }, { text: 'To all.' }] },
  }

  test('are told apart by key', async () => {
    await using server = await wireServer({ scripts })
    const ask = async (key: string) => textOf(dialect, await post(server.url, dialect, bodyOf(dialect), bearer(key)))
    expect([await ask('sk-bob'), await ask('sk-ann'), await ask('sk-other')]).toEqual(['To Bob.', 'To Ann.', 'To all.'])
    expect(server.journal('ann')).toMatchObject({ exchanges: [{ line: 1 }], left: ['line 2: "Never said."'] })
    expect(server.journal('bob')).toMatchObject({ exchanges: [{ line: 1 }], left: [], problems: [] })
  })

  test('are told apart by path, where a key has to fit all the same', async () => {
    await using server = await wireServer({ scripts })
    const ask = (script: string, key: string) => post(server.urlFor(script), dialect, bodyOf(dialect), bearer(key))
    expect(await textOf(dialect, await ask('all', 'sk-other'))).toBe('To all.')
    expect(await textOf(dialect, await ask('ann', 'sk-ann'))).toBe('To Ann.')
    const refused = await ask('ann', 'sk-bob')
    expect(refused.status).toBe(dialect === 'gemini' ? 400 : 401)
    expect(await refused.json()).toHaveProperty('error')
    expect(server.problems()[0]).toMatch(
      /broke the rule key: no script has this key; the paths of the scripts are \/ann/,
    )
  })
})

describe('a server', () => {
  test('has an address for every script, and none for others', async () => {
    await using server = await wireServer({ scripts: { ann: { lines: [] }, bob: { lines: [] } } })
    expect(server.urlFor('bob')).toBe(`${server.url}/bob`)
    expect(() => server.urlFor('eve')).toThrow('There is no script eve: the server has ann, bob.')
    expect(() => server.journal()).toThrow('Name a script: the server has ann, bob.')
  })

  test('of one script has the address of the server', async () => {
    await using server = await wireServer({ lines: [{ text: 'Hi.' }] })
    expect(server.urlFor('default')).toBe(`${server.url}/default`)
    expect(await textOf('ollama', await post(server.urlFor('default'), 'ollama', bodyOf('ollama')))).toBe('Hi.')
  })

  test('with keys alone refuses who lists models without one, and minds nothing else', async () => {
    await using server = await wireServer({ scripts: { ann: { key: 'sk-ann', lines: [] } } })
    expect((await fetch(`${server.url}/v1/models`)).status).toBe(401)
    expect((await fetch(`${server.url}/v1/models`, bearer('sk-ann'))).status).toBe(200)
    server.assertDone()
  })

  test('takes the port that it is told', async () => {
    const first = await wireServer({ lines: [] })
    const port = Number(new URL(first.url).port)
    await expect(wireServer({ lines: [], port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await first.close()
    await using second = await wireServer({ lines: [], port })
    expect(second.url).toBe(first.url)
  })

  test('listens to its own machine alone', async () => {
    await using server = await wireServer({ lines: [] })
    const { port, hostname } = new URL(server.url)
    expect(hostname).toBe('127.0.0.1')
    const others = Object.values(networkInterfaces()).flatMap((all = []) => all.filter(({ internal }) => !internal))
    for (const { address, family } of others.slice(0, 2)) {
      const host = family === 'IPv6' ? `[${address}]` : address
      await expect(fetch(`http://${host}:${port}/`)).rejects.toThrow(TypeError)
    }
  })

  test('that is closed breaks off what it is answering', async () => {
    const server = await wireServer({ lines: [{ fault: { type: 'stall' } }] })
    const asked = post(server.url, 'openai', bodyOf('openai'))
    await server.untilAsked(1)
    await Promise.all([expect(asked).rejects.toThrow('fetch failed'), server.close()])
    await server.closed
  })

  test('says what it has, to who asks for something else', async () => {
    await using server = await wireServer({ lines: [] })
    const response = await fetch(`${server.url}/v1/embeddings`, { method: 'POST', body: '{}' })
    expect(response.status).toBe(404)
    expect(await response.text()).toContain('This server has no POST /v1/embeddings. It has POST /v1/chat/completions')
  })
})

describe('the journal', () => {
  test('tells what was received, what was answered, and what was wrong with it', async () => {
    await using server = await wireServer({ lines: [{ text: 'Hi.' }, { text: 'Never said.' }] })
    await post(server.url, 'openai', bodyOf('openai'), bearer('sk-secret'))
    await post(server.url, 'anthropic', bodyOf('anthropic', [says('Hi')]))
    await fetch(`${server.url}/v1/models`)
    const journal: any = await (await fetch(`${server.url}/__journal`)).json()
    expect(journal.scripts).toMatchObject([
      {
        script: 'default',
        exchanges: [
          {
            number: 1,
            protocol: 'openai',
            method: 'POST',
            path: '/v1/chat/completions',
            body: { messages: [user('Hi')] },
            request: { messages: [{ role: 'user', text: 'Hi' }] },
            line: 1,
            violations: [],
            status: 200,
            end: 'sent',
          },
          { number: 2, protocol: 'anthropic', violations: [{ rule: 'beginsWithUser', index: 0 }], status: 400 },
          { path: '/v1/models', status: 200 },
        ],
        left: ['line 2: "Never said."'],
      },
    ])
    expect(JSON.parse(journal.scripts[0].exchanges[0].sent)).toMatchObject({
      choices: [{ message: { content: 'Hi.' } }],
    })
    expect(journal.problems).toEqual([
      'Request 2 broke the rule beginsWithUser at message 0: the first message is from assistant',
      '1 of 2 lines were never asked for: line 2: "Never said."',
    ])
    expect(JSON.stringify(journal)).not.toContain('sk-secret')
  })

  test('is that of one script at its path', async () => {
    await using server = await wireServer({ scripts: { ann: { lines: [] }, bob: { lines: [{ text: 'Hi.' }] } } })
    expect(await (await fetch(`${server.urlFor('bob')}/__journal`)).json()).toMatchObject({
      script: 'bob',
      exchanges: [],
      left: ['line 1: "Hi."'],
    })
  })

  test('keeps a body that is no JSON as it came', async () => {
    await using server = await wireServer({ lines: [] })
    const response = await fetch(`${server.url}/api/chat`, { method: 'POST', body: '{"model": ' })
    expect(response.status).toBe(400)
    expect(server.requests[0]).toMatchObject({ body: '{"model": ', violations: [{ rule: 'json' }] })
  })
})

describe('a script that is not followed', () => {
  test.each(dialects)('names the request that is too many, over the API of %s', async (dialect) => {
    await using server = await wireServer({ lines: [{ text: 'Hi.' }] })
    await post(server.url, dialect, bodyOf(dialect))
    const response = await post(server.url, dialect, bodyOf(dialect, [user('Hi'), says('Hi.'), user('And now?')]))
    const words = 'Request 2 has no line: the script has 1. The request ends with the words of the user "And now?".'
    expect(response.status).toBe(400)
    const { error }: any = await response.json()
    expect(dialect === 'ollama' ? error : error.message).toBe(words)
    expect(() => server.assertDone()).toThrow(words)
  })

  test('names the lines that are left', async () => {
    await using server = await wireServer({ lines: [{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }] })
    await post(server.url, 'openai', bodyOf('openai'))
    expect(() => server.assertDone()).toThrow('2 of 3 lines were never asked for: line 2: "Two."; line 3: "Three."')
    expect(server.journal().left).toEqual(['line 2: "Two."', 'line 3: "Three."'])
  })
})

describe('a script that makes no sense is refused at the start:', () => {
  test.each([
    [{ lines: [{ text: 'a' }, { txt: 'b' }] }, 'Line 2 is wrong'],
    [{ lines: [{ text: 'a', when: { lastUsr: 'b' } }] }, 'Line 1 is wrong'],
    [{ lines: [{ text: 'a', repeat: 'any' }, { text: 'b' }] }, 'so that line 2 is never reached'],
    [
      { lines: [{ text: 'a', fault: { type: 'cut' }, wire: { fault: { type: 'malformed_event' } } }] },
      'is never reached',
    ],
    [{ lines: [{ text: 'a', fault: { type: 'malformed_call' } }] }, 'malformed_call needs a call'],
    [
      { lines: [{ content: [{ type: 'file', mediaType: 'image/png', source: { kind: 'url', url: 'a' } }] }] },
      'none of the protocols can carry a file',
    ],
    [{ lines: [{ text: 'a', when: { lastUser: { matches: '(' } } }] }, 'is not a regular expression'],
    [{ lines: [], models: [] }, 'Script default is wrong'],
    [{ lines: [], rules: { spelling: 'on' } }, 'Script default is wrong'],
  ])('%j', async (script, words) => {
    await expect(wireServer(script as Parameters<typeof wireServer>[0])).rejects.toThrow(words)
  })
})
