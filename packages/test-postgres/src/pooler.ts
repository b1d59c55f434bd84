import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answers } from './answers.ts'
import { freePort } from './server.ts'

/** Whether this machine has a pooler to go through. `.ci/run` installs it. */
export const hasPooler = spawnSync('pgbouncer', ['--version'], { env: withSystemFolders() }).status === 0

/** PgBouncer in transaction mode before a server: each transaction may come to another connection of few. */
export async function startPooler(serverPort: number): Promise<{ address: string; dispose: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'loader-pgbouncer-'))
  const port = await freePort()
  const settings = [
    '[databases]',
    `* = host=127.0.0.1 port=${serverPort}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 4',
    'max_client_conn = 500',
    'ignore_startup_parameters = extra_float_digits',
    'server_check_query =',
  ]
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, settings.map((line) => (line.startsWith('*') ? `${line} user=loader` : line)).join('\n') + '\n')
  const isRoot = process.getuid?.() === 0
  chmodSync(folder, 0o755)
  if (isRoot) chownSync(folder, 65_534, 65_534)
  const child = spawn('pgbouncer', [file], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: withSystemFolders(),
    ...(isRoot && { uid: 65_534, gid: 65_534 }),
  })
  let said = ''
  child.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()))
  const address = `postgres://loader@127.0.0.1:${port}/postgres`
  while (!(await answers(address))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}: ${said}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    address,
    dispose: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGINT')
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Debian keeps it where only the paths of root lead. */
function withSystemFolders(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` }
}
