import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { knownSecrets } from '../src/processes/known-secrets.ts'
import { SecretReplacer } from '../src/processes/secret-replacer.ts'

function replaced(
  secrets: readonly string[],
  pieces: readonly Uint8Array[],
): { readonly text: string; readonly count: number } {
  const replacer = new SecretReplacer(secrets)
  const out = [...pieces.map((piece) => replacer.add(piece)), replacer.finish()]
  return { text: Buffer.concat(out).toString(), count: replacer.count }
}

describe('secrets in a stream', () => {
  test('are replaced wherever the stream is cut', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'é'), maxLength: 30 })
    const secret = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 8, maxLength: 10 })
    fc.assert(
      fc.property(
        fc.array(secret, { minLength: 1, maxLength: 3 }),
        fc.array(letters),
        fc.array(fc.nat(200)),
        (secrets, between, cuts) => {
          const text = between.join(secrets[0])
          const whole = Buffer.from(text)
          const places = [0, ...cuts.map((cut) => cut % (whole.length + 1)).sort((a, b) => a - b), whole.length]
          const pieces = places.slice(1).map((place, index) => whole.subarray(places[index], place))
          const got = replaced(secrets, pieces)
          for (const each of secrets) expect(got.text).not.toContain(each)
          expect(got).toEqual(replaced(secrets, [whole]))
          expect(got.text.split('[secret:known]')).toHaveLength(got.count + 1)
        },
      ),
    )
  })

  test('leave everything else as it was', () => {
    expect(replaced(['12345678'], [Buffer.from('1234567'), Buffer.from(' 12345678'), Buffer.from('12345')])).toEqual({
      text: '1234567 [secret:known]12345',
      count: 1,
    })
    expect(replaced([], [Buffer.from('a')])).toEqual({ text: 'a', count: 0 })
  })

  test('that are short are ordinary words', () => {
    expect(replaced(['true'], [Buffer.from('true')]).text).toBe('true')
  })
})

describe('known secrets', () => {
  const variables = {
    PATH: '/usr/bin',
    MY_API_KEY: 'abcdefgh',
    OPAQUE: 'x9x8x7x6x5x4x3x2x1',
    DATABASE_URL: 'postgres://user:pa55word1@host/db',
    EDITOR: '/usr/bin/vim',
    DESKTOP_SESSION: 'ubuntu-xorg-session',
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/1000/bus',
    SHORT_TOKEN: 'abc',
  }

  test('are values of withheld variables that look like secrets, in the forms in which programs print them', () => {
    const known = knownSecrets({ variables }, ['credential-of-the-runtime'])
    expect(known).toEqual(
      expect.arrayContaining([
        'abcdefgh',
        variables.OPAQUE,
        variables.DATABASE_URL,
        'pa55word1',
        'credential-of-the-runtime',
      ]),
    )
    for (const around of ['', 'x', 'xy', 'xyz']) {
      const coded = Buffer.from(`${around}abcdefgh${around}`).toString('base64')
      expect(known.some((form) => coded.includes(form))).toBe(true)
    }
    for (const ordinary of [variables.EDITOR, variables.DESKTOP_SESSION, variables.DBUS_SESSION_BUS_ADDRESS, 'abc']) {
      expect(known).not.toContain(ordinary)
    }
  })

  test('are what variables carry beside other things', () => {
    const known = knownSecrets({
      variables: {
        MAVEN_OPTS: '-Xmx1g -Dpublish.password=hunter2hunter2',
        http_proxy: 'me:pr0xyword@127.0.0.1:9',
        HTTPS_PROXY: 'http://me:w%40rdw%40rd@proxy',
        GIT_URL: 'https://ghx0123456789abcdef@example.com/x',
        JDBC: 'jdbc:db://host;user=sa;Password=longer word;',
        SSH_URL: 'ssh://somebody@example.com/x',
      },
    })
    expect(known).toEqual(
      expect.arrayContaining(['hunter2hunter2', 'pr0xyword', 'w%40rdw%40rd', 'w@rdw@rd', 'ghx0123456789abcdef']),
    )
    expect(known).not.toContain('somebody')
  })

  test('are none when the user passes them on', () => {
    expect(knownSecrets({ variables: { MY_API_KEY: 'abcdefgh' }, passVariables: ['MY_API_KEY'] })).toEqual([])
  })
})
