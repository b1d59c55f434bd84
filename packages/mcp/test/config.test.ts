import { describe, expect, test } from 'vitest'
import { asksForMore, expandServer, McpServer, McpServerName, serversOfFile } from '../src/config.ts'

describe('servers of a file that programs share', () => {
  test('are read with the keys that are known, and one that is wrong takes no other with it', () => {
    const file = {
      mcpServers: {
        good: { type: 'stdio', command: 'x', args: ['y'], alwaysAllow: ['everything'] },
        'a name': { command: 'x' },
        both: { command: 'x', url: 'https://x' },
        old: { type: 'sse', url: 'https://x' },
        __proto__: { command: 'x' },
      },
      other: true,
    }
    const { servers, faults } = serversOfFile(file, '.mcp.json')
    expect(Object.keys(servers)).toEqual(['good'])
    expect(servers['good']).toEqual({ type: 'stdio', command: 'x', args: ['y'] })
    expect(faults).toEqual([
      expect.stringContaining('"a name"'),
      expect.stringContaining('a server needs a command to start, or a url'),
      expect.stringContaining('mcpServers.old.type'),
    ])
  })

  test.for([[null], [[]], ['x'], [{ mcpServers: [] }], [{ mcpServers: { a: 1 } }]])('%j has none', ([value]) => {
    const { servers, faults } = serversOfFile(value, 'file')
    expect([Object.keys(servers), faults]).toEqual([[], ['file has no object mcpServers']])
  })
})

test.for(['a__b', '_a', 'a_', 'a-', 'ä', '', 'x'.repeat(33), 'a.b'])('a server cannot be called %j', (name) => {
  expect(McpServerName.safeParse(name).success).toBe(false)
})

describe('variables', () => {
  const server = McpServer.parse({
    command: '${BIN:-node}',
    args: ['${ROOT}/x', '$HOME', '${MISSING}'],
    env: { KEY: '${KEY}', PORT: '80', PASSWORD: 'correct horse battery' },
  })

  test('stand where they are named, and those that are not set are told', () => {
    const { server: expanded, missing } = expandServer(server, { ROOT: '/r', KEY: 'sk-1234567890ab' })
    expect(expanded).toMatchObject({ command: 'node', args: ['/r/x', '$HOME', ''], env: { KEY: 'sk-1234567890ab' } })
    expect(missing).toEqual(['MISSING'])
  })

  test('with secrets in them are known, so that nothing shows them', () => {
    const { secrets } = expandServer(server, { ROOT: '/home/somebody', KEY: 'sk-1234567890ab' })
    expect(secrets).toEqual(expect.arrayContaining(['sk-1234567890ab', 'correct horse battery']))
    expect(secrets).not.toContain('80')
  })
})

test.for([
  [{ command: 'x', args: ['y'], env: { A: 'b' } }, undefined],
  [{ url: 'https://user:word@host/mcp?key=1' }, 'it is at https://host/mcp'],
  [{ command: 'x', reach: 'open' }, 'it wants the reach open'],
  [{ command: '${X}' }, 'it wants variables of yours'],
] as const)('%j asks for: %s', ([server, more]) => {
  expect(asksForMore(McpServer.parse(server))).toBe(more)
})
