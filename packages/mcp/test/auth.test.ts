import { describe, expect, test } from 'vitest'
import { loopback } from '../src/auth/loopback.ts'
import { authFor, Login, LoginNeeded } from '../src/auth/oauth-provider.ts'
import type { KeptLogin } from '../src/auth/token-store.ts'

const tokens = { access_token: 'at', token_type: 'bearer' }

function keeping(kept: KeptLogin | undefined) {
  const store = { read: () => kept, write: (_name: string, login: KeptLogin | undefined) => void (kept = login) }
  return { name: 'a', server: { url: 'https://a.example/mcp' }, store, variables: {}, kept: () => kept }
}

describe('a login', () => {
  test('is used at the address that it was made with, and nowhere else', () => {
    expect(authFor(keeping({ url: 'https://a.example/mcp', tokens }))).toBeInstanceOf(Login)
    const other = keeping({ url: 'https://b.example/mcp', tokens })
    expect(authFor(other)).not.toBeInstanceOf(Login)
    expect(new Login(other).tokens()).toBeUndefined()
  })

  test('of one authority is not shown to another', () => {
    const issued = { ...tokens, issuer: 'https://one' }
    const login = new Login(keeping({ url: 'https://a.example/mcp', tokens: issued }))
    expect(login.tokens({ issuer: 'https://one' })).toEqual(issued)
    expect(login.tokens({ issuer: 'https://two' })).toBeUndefined()
  })

  test('begins only where a user is there: a run registers nothing and opens nothing', async () => {
    const options = keeping(undefined)
    const auth = authFor(options)
    const refused = 'onUnauthorized' in auth ? auth.onUnauthorized?.({} as never) : undefined
    await expect(refused).rejects.toBeInstanceOf(LoginNeeded)
    await expect(new Login(options).redirectToAuthorization(new URL('https://x/?scope=more'))).rejects.toThrow('log in')
    expect(options.kept()).toEqual({ url: 'https://a.example/mcp', scope: 'more' })
  })
})

describe('the address that a browser returns to', () => {
  test('takes the answer to the login that goes on, and no other', async () => {
    const returning = await loopback()
    try {
      const { hostname, port } = new URL(returning.url)
      expect(hostname).toBe('127.0.0.1')
      const back = returning.returned(() => 'state-1')
      const ask = async (path: string, method = 'GET') =>
        (await fetch(`http://127.0.0.1:${port}${path}`, { method })).status
      expect(await ask('/callback?code=c&state=state-2')).toBe(400)
      expect(await ask('/callback?code=c')).toBe(400)
      expect(await ask('/other?code=c&state=state-1')).toBe(404)
      expect(await ask('/callback?code=c&state=state-1', 'POST')).toBe(404)
      expect(await ask('/callback?code=good&state=state-1')).toBe(200)
      expect((await back).get('code')).toBe('good')
    } finally {
      returning.close()
    }
  })
})
