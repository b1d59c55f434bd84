import { chmod, mkdir, symlink } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { temporaryWorkspace } from '@loader/test-harness'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { childVariables, withheldVariables } from '../src/processes/child-variables.ts'
import { KeptOutput } from '../src/processes/kept-output.ts'
import { programOnPath } from '../src/processes/program-on-path.ts'

describe('the environment of commands', () => {
  const withheld = `ANTHROPIC_API_KEY OPENAI_BASE_URL my_api_key GITHUB_TOKEN AWS_ACCESS_KEY_ID AWS_PROFILE DB_PASSWORD PGPASSWORD
    MYSQL_PWD GITHUB_PAT DOCKER_AUTH_CONFIG npm_config__authToken VAULT_ADDR TOKEN DATABASE_URL REDIS_URL SENTRY_DSN SESSION_COOKIE
    CONNECTION_STRING SLACK_WEBHOOK SSH_AUTH_SOCK XDG_RUNTIME_DIR DBUS_SESSION_BUS_ADDRESS DISPLAY GPG_AGENT_INFO BASH_ENV
    LD_PRELOAD PYTHONSTARTUP GIT_CONFIG_COUNT GIT_SSH_COMMAND WHATEVER`
  const letIn = `PATH HOME PWD USER SHELL LANG LC_ALL TZ HTTP_PROXY NODE_OPTIONS npm_config_registry CARGO_HOME GOPATH JAVA_HOME
    VIRTUAL_ENV CC CFLAGS CI SOURCE_DATE_EPOCH GIT_AUTHOR_NAME`

  test.each(withheld.split(/\s+/))('does not have %s', (name) => {
    expect(childVariables({ variables: { [name]: 'x' } })).not.toHaveProperty([name])
    expect(withheldVariables({ variables: { [name]: 'x' } })).toHaveProperty([name], 'x')
    expect(childVariables({ variables: { [name]: 'x' }, passVariables: [name] })).toHaveProperty([name], 'x')
  })

  test.each(letIn.split(/\s+/))('has %s', (name) => {
    expect(childVariables({ variables: { [name]: 'x' } })).toHaveProperty([name], 'x')
  })

  test.each([
    ['https_proxy', 'http://user:word@proxy:1', 'http://proxy:1'],
    ['http_proxy', 'user:word@proxy:1', 'proxy:1'],
    ['ALL_PROXY', 'socks5h://t0k3n@proxy', 'socks5h://proxy'],
    [
      'npm_config_registry',
      'https://u:p%40ss@a.example.com/ https://u:w@b.example.com/',
      'https://a.example.com/ https://b.example.com/',
    ],
    ['MAVEN_OPTS', '-Xmx1g -Dpublish.password=word', undefined],
    ['GRADLE_OPTS', '-Dorg.key="two words" -Dsigning.keyPassword=x', undefined],
    ['JAVA_TOOL_OPTIONS', '-Dorg.gradle.x=0123456789abcdef01234', undefined],
    ['GOFLAGS', '-mod=mod -auth_token=abcdefgh', undefined],
    ['HTTP_PROXY', 'http://me:p/w@proxy:1', undefined],
    ['PATH', 'bin:/opt/a@1/bin:/usr/bin', 'bin:/opt/a@1/bin:/usr/bin'],
    ['NODE_OPTIONS', '--max-old-space-size=4096 --require=/a/b.js', '--max-old-space-size=4096 --require=/a/b.js'],
    ['MAKEFLAGS', '-j4 --jobserver-auth=3,4', '-j4 --jobserver-auth=3,4'],
    ['GIT_AUTHOR_EMAIL', 'a@example.com', 'a@example.com'],
    [
      'RUSTFLAGS',
      '-C link-arg=-fuse-ld=lld -C target-cpu=x86-64-v3',
      '-C link-arg=-fuse-ld=lld -C target-cpu=x86-64-v3',
    ],
    ['NO_PROXY', 'localhost,127.0.0.1', 'localhost,127.0.0.1'],
  ])('has no secret that a variable carries: %s=%s', (name, value, shown) => {
    const options = { variables: { [name]: value } }
    expect(childVariables(options)[name]).toBe(shown)
    expect(withheldVariables(options)[name]).toBe(shown === value ? undefined : value)
    expect(childVariables({ ...options, passVariables: [name] })[name]).toBe(value)
  })

  test('lets nothing page, edit or prompt', () => {
    const variables = {
      EDITOR: 'vim',
      PAGER: 'less',
      GIT_ASKPASS: '/x',
      SSH_ASKPASS: '/y',
      TERM: 'xterm',
      FORCE_COLOR: '1',
    }
    const made = childVariables({ variables })
    expect(made).toMatchObject({ EDITOR: 'false', PAGER: 'cat', TERM: 'dumb', GIT_TERMINAL_PROMPT: '0' })
    expect(Object.keys(made)).not.toEqual(expect.arrayContaining(['GIT_ASKPASS']))
    expect(made).not.toHaveProperty('SSH_ASKPASS')
    expect(made).not.toHaveProperty('FORCE_COLOR')
  })
})

describe('a program of ours', () => {
  test('is the first on the PATH that lies outside the workspace, and is one', async () => {
    await using around = await temporaryWorkspace()
    const place = async (path: string, mode: number) => {
      await around.write(path, '#!/bin/sh\n')
      await chmod(around.path(path), mode)
    }
    await place('ws/bin/tool', 0o755)
    await place('one/tool', 0o644)
    await mkdir(around.path('two/tool'), { recursive: true })
    await mkdir(around.path('three'))
    await symlink('../ws/bin/tool', around.path('three/tool'))
    await place('four/tool', 0o755)
    const folders = [
      '.',
      '',
      'bin',
      around.path('ws/bin'),
      ...['one', 'two', 'three', 'none', 'four'].map((it) => around.path(it)),
    ]
    const find = (name: string) => programOnPath(name, { PATH: folders.join(':') }, around.path('ws'))
    expect(find('tool')).toBe(around.path('four/tool'))
    expect(find('other')).toBeUndefined()
    expect(programOnPath('tool', {}, around.path('ws'))).toBeUndefined()
  })
})

describe('what is kept of an output', () => {
  const pieces = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\n', 'é', '€', '😀'), maxLength: 12 }), {
    maxLength: 12,
  })

  test('is its head and tail, whatever the pieces, with every byte accounted for', () => {
    fc.assert(
      fc.property(pieces, fc.nat(16), fc.integer({ min: 1, max: 16 }), fc.nat(), (texts, headBytes, tailBytes, at) => {
        const whole = Buffer.from(texts.join(''))
        const kept = new KeptOutput({ headBytes, tailBytes })
        // Pieces end anywhere, also within a character.
        const cut = whole.length === 0 ? 0 : at % whole.length
        for (const piece of [whole.subarray(0, cut), whole.subarray(cut)]) kept.add(piece)
        expect(kept.bytes).toBe(whole.length)
        expect(kept.digest()).toBe(`sha256:${createHash('sha256').update(whole).digest('hex')}`)
        const text = kept.text()
        expect(text).not.toContain('\ufffd')
        if (whole.length <= headBytes + tailBytes) {
          expect(text).toBe(texts.join(''))
          return
        }
        const [, head = '', missing = '', tail = ''] =
          /^([^]*)\n\[… ([\d,]+) bytes were cut here …\]\n([^]*)$/.exec(text) ?? []
        expect(texts.join('').startsWith(head)).toBe(true)
        expect(texts.join('').endsWith(tail)).toBe(true)
        const cutBytes = Number(missing.replaceAll(',', ''))
        expect(Buffer.byteLength(head) + cutBytes + Buffer.byteLength(tail)).toBe(whole.length)
        expect(Buffer.byteLength(head)).toBeGreaterThan(headBytes - 4)
        expect(Buffer.byteLength(tail)).toBeGreaterThan(tailBytes - 4)
      }),
    )
  })

  test('can be in as many pieces as there are bytes', () => {
    const kept = new KeptOutput({ headBytes: 3, tailBytes: 4 })
    for (const byte of Buffer.from('0123456789')) kept.add(Uint8Array.of(byte))
    expect(kept.text()).toBe('012\n[… 3 bytes were cut here …]\n6789')
  })
})
