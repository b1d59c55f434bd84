import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { call, line } from '@loader/test-harness'
import { fromCi } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { type Stage, stage } from '../e2e/stage/stage.ts'
import { httpBridge } from './stage/http-bridge.ts'

const { resolve } = createRequire(import.meta.url)
const program = (name: string) =>
  join(dirname(resolve(`@modelcontextprotocol/server-${name}/package.json`)), 'dist/index.js')

/** The task uses all three: it notes what it has read, says it, and remembers it. */
const lines = [
  line('I read it.', call('files__read_text_file', { path: 'plan.txt' })),
  line('I write it down.', call('files__write_file', { path: 'notes/plan.txt', content: 'Ship it.\n' })),
  line('And there.', call('files__write_file', { path: 'elsewhere.txt', content: 'Ship it.\n' })),
  line('I say it.', call('everything__echo', { message: 'Ship it.' })),
  line('How long?', call('everything__trigger-long-running-operation', { duration: 0.2, steps: 2 })),
  line(
    'I remember it.',
    call('memory__create_entities', { entities: [{ name: 'plan', entityType: 'note', observations: ['Ship it.'] }] }),
  ),
  line('I look it up.', call('memory__search_nodes', { query: 'Ship' })),
  { ...line('All is noted.'), repeat: 'any' as const },
]
const words = ['-p', 'Note the plan', '--mode', 'execute', '--config', 'completionCheck=false']
const allowed = ['--allowed-tools', 'mcp__files,mcp__everything,mcp__memory']

async function task(
  one: Stage,
  mcpServers: object,
  environment: Readonly<Record<string, string>>,
  how: 'run' | 'runHere',
) {
  mkdirSync(one.path('notes'))
  one.write('plan.txt', 'Ship it.\n')
  writeFileSync(join(one.config, 'settings.json'), JSON.stringify({ mcpServers }))
  const ended = await one[how]([...words, ...allowed], { environment })
  const [row] = await one.sessions()
  const { history, state } = await one.session(row?.id ?? '')
  const outcomes = history.flatMap((event) =>
    event.type === 'tool.finished' ? [String(Reflect.get(event, 'outcome'))] : [],
  )
  return { ended, outcomes, servers: state.policy?.tools?.servers ?? [] }
}

const programs = (one: Stage) => ({
  files: [program('filesystem'), one.project],
  everything: [program('everything'), 'stdio'],
  memory: [program('memory')],
})

describe('the reference servers do a task', () => {
  test.runIf(fromCi)('as programs in walls, which write where they may and nowhere else', async () => {
    await using one = await stage(...lines)
    const { files, everything, memory } = programs(one)
    const env = { MEMORY_FILE_PATH: one.path('notes/memory.jsonl') }
    const command = process.execPath
    const { ended, outcomes, servers } = await task(
      one,
      {
        files: { command, args: files, writable: ['notes'] },
        everything: { command, args: everything },
        memory: { command, args: memory, env, writable: ['notes'] },
      },
      { LOADER_WALLS: 'required' },
      'run',
    )
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('All is noted.') })
    expect(outcomes).toEqual(['ok', 'ok', 'failed', 'ok', 'ok', 'ok', 'ok'])
    expect(readFileSync(one.path('notes/plan.txt'), 'utf8')).toBe('Ship it.\n')
    expect(existsSync(one.path('elsewhere.txt'))).toBe(false)
    expect(servers.map(({ name, state, walls }) => [name, state, walls])).toEqual([
      ['files', 'connected', 'bubblewrap'],
      ['everything', 'connected', 'bubblewrap'],
      ['memory', 'connected', 'bubblewrap'],
    ])
  })

  test.runIf(fromCi)('over HTTP, where they run as who has started them', async () => {
    await using one = await stage(...lines)
    const [files, everything, memory] = await Promise.all(
      Object.values(programs(one)).map((args) => httpBridge(process.execPath, args)),
    )
    try {
      const { ended, outcomes, servers } = await task(
        one,
        { files: { url: files?.url }, everything: { url: everything?.url }, memory: { url: memory?.url } },
        { MEMORY_FILE_PATH: one.path('notes/memory.jsonl') },
        'runHere',
      )
      expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('All is noted.') })
      expect(outcomes).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok'])
      expect(servers.map(({ transport, walls }) => [transport, walls])).toEqual(
        Array.from({ length: 3 }, () => ['http', undefined]),
      )
      expect(everything?.methods).toContain('tools/call')
    } finally {
      for (const bridge of [files, everything, memory]) await bridge?.[Symbol.asyncDispose]()
    }
  })
})
