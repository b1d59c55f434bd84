import { execFile, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { temporaryWorkspace } from '@loader/test-harness'
import { fromCi } from '@loader/test-tier'
import { describe, expect, test } from 'vitest'
import { builtLoader } from './e2e/stage/built-loader.ts'
import { stateFolderOf } from './written/store-in.ts'
import { exchange, writtenSession } from './written/written-session.ts'

const onSources = ['--conditions=@loader/source', '--no-warnings']
const writer = fileURLToPath(new URL('written/holding-writer.ts', import.meta.url))

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** The command as a process of its own, without a terminal. */
function spawned(words: readonly string[], folder: string): Promise<Ended> {
  return new Promise((resolve) => {
    const env = {
      ...process.env,
      LOADER_STATE: stateFolderOf(folder),
      LOADER_CONFIG_DIR: `${folder}/config`,
      NO_COLOR: '1',
    }
    const child = execFile(process.execPath, [builtLoader(), ...words], { cwd: folder, env }, (_error, out, err) =>
      resolve({ code: child.exitCode, out, err }),
    )
    child.stdin?.end()
  })
}

/** A process that holds a session in the middle of a turn. */
async function holding(root: string) {
  const child = spawn(process.execPath, [...onSources, writer, root], { stdio: ['pipe', 'pipe', 'inherit'] })
  const [first] = await new Promise<string[]>((resolve) =>
    child.stdout.once('data', (data: Buffer) => resolve(data.toString().split('\n'))),
  )
  const gone = new Promise((resolve) => child.once('exit', resolve))
  return {
    id: first ?? '',
    async kill() {
      child.stdin.end()
      await gone
    },
  }
}

describe('the command as a process', { timeout: 60_000 }, () => {
  test('prints one JSON value and nothing else', async () => {
    await using workspace = await temporaryWorkspace()
    const id = await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'))
    const { code, out, err } = await spawned(['sessions', '--json'], workspace.root)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(JSON.parse(out)).toMatchObject({ sessions: [{ id }] })
  })

  test('deletes nothing in a non-interactive run', async () => {
    await using workspace = await temporaryWorkspace()
    const id = await writtenSession(workspace.root, exchange(1, 'Hi', 'Hello'))
    expect(await spawned(['delete', id], workspace.root)).toMatchObject({ code: 2, out: '' })
    expect(await spawned(['show', id], workspace.root)).toMatchObject({ code: 0 })
  })

  test.runIf(fromCi)(
    'reads a session that another process works on, and refuses to change it, until that process is gone',
    async () => {
      await using workspace = await temporaryWorkspace()
      const writing = await holding(workspace.root)
      const { id } = writing
      try {
        expect((await spawned(['show', id], workspace.root)).out).toContain('> bash sleep 100 [no result yet]')
        expect((await spawned(['why', id], workspace.root)).out).toContain('is running.')
        expect((await spawned(['export', id, '--format', 'md'], workspace.root)).code).toBe(0)
        expect(await spawned(['rename', 'Mine', id], workspace.root)).toMatchObject({ code: 5, out: '' })
        expect(await spawned(['delete', '--yes', id], workspace.root)).toMatchObject({ code: 5, out: '' })
      } finally {
        await writing.kill()
      }
      const after = await spawned(['why', id], workspace.root)
      expect(after.out).toContain('was running when the process ended')
      expect(await spawned(['delete', '--yes', id], workspace.root)).toMatchObject({ code: 0 })
    },
  )
})
