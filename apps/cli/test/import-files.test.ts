import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { readSource } from '@loader/foreign-sessions'
import { temporaryWorkspace } from '@loader/test-harness'
import { describe, expect, test } from 'vitest'
import { loader } from './written/fake-console.ts'
import { foreignPath, imported, saidIn } from './written/foreign.ts'

const session = foreignPath('pi/three-turns.jsonl')

describe('only regular files are read', () => {
  test('a FIFO is refused at once, and nothing waits for a writer', async () => {
    await using workspace = await temporaryWorkspace()
    makeFifo(workspace.path('pipe.jsonl'))
    symlinkSync('pipe.jsonl', workspace.path('link.jsonl'))
    for (const name of ['pipe.jsonl', 'link.jsonl']) {
      const { code, out, err } = await loader(['import', name], { folder: workspace.root })
      expect({ code, out }).toEqual({ code: 2, out: '' })
      expect(err).toContain(`${workspace.path(name)} is a FIFO. Only regular files are imported.`)
    }
  })

  test('a socket and a device are refused', async () => {
    await using workspace = await temporaryWorkspace()
    const server = createServer().listen(workspace.path('talk.jsonl'))
    await new Promise((resolve) => server.once('listening', resolve))
    try {
      const { err } = await loader(['import', 'talk.jsonl'], { folder: workspace.root })
      expect(err).toContain('is a socket. Only regular files are imported.')
    } finally {
      server.close()
    }
    for (const device of ['/dev/zero', '/dev/null']) {
      const { err } = await loader(['import', device], { folder: workspace.root })
      expect(err).toContain(`${device} is a device. Only regular files are imported.`)
    }
  })

  test('what is none is passed over in a folder and beside a file', async () => {
    await using workspace = await temporaryWorkspace()
    cpSync(session, workspace.path('session.jsonl'))
    makeFifo(workspace.path('other.jsonl'))
    mkdirSync(workspace.path('folder.jsonl'))
    const { out } = await loader(['import', '.'], { folder: workspace.root })
    expect(out).toContain('3 turns')
    // A fork looks for the file of its parent, and finds a FIFO with its name.
    const fork = 'rollout-2026-11-19T01-59-00-01a1f187-54fb-7fb1-9e7d-f4c3c220724a.jsonl'
    cpSync(foreignPath(`codex/fork/sessions/2026/11/19/${fork}`), workspace.path('day', fork))
    makeFifo(workspace.path('day', 'rollout-2026-11-19T01-59-00-01a1f187-530e-7f03-bffd-b1144da85eb9.jsonl'))
    const { losses, events } = imported('codex', readSource(workspace.path('day', fork)))
    expect(saidIn({ events })).toEqual(['user: And now?', 'model: Forked answer.'])
    expect(losses.join(' ')).toContain('was not found')
  })
})

test('a file that is too large is refused in our words, and not read', async () => {
  await using workspace = await temporaryWorkspace()
  writeFileSync(workspace.path('large.jsonl'), '')
  truncateSync(workspace.path('large.jsonl'), 5 * 1024 ** 3)
  const { code, out, err } = await loader(['import', 'large.jsonl'], { folder: workspace.root })
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toContain('has 5120 MB, and files above 256 MB are not imported.')
})

function makeFifo(path: string): void {
  const { status, stderr } = spawnSync('mkfifo', [path], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`mkfifo: ${stderr}`)
}
