// Starting must feel like nothing: every figure is the time of a whole process to that of a Node that does nothing.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Session } from '@loader/session-core'
import { FileSessionStore, systemEnvironment } from '@loader/session-fs'
import { line } from '@loader/test-harness'
import { wireServer } from '@loader/test-harness/wire'
import { atMost, shown } from './store/figure.mjs'
import { withFolder } from './store/folder.mjs'
import { rounds } from './store/rounds.mjs'

const dist = fileURLToPath(new URL('../apps/cli/dist', import.meta.url))
const loader = join(dist, 'loader.js')
const sessions = 1_000

export async function figures() {
  const node = process.execPath
  const others = process.env.HOST_NODE && process.env.HOST_NODE !== node ? [process.env.HOST_NODE] : []
  return withFolder(async (folder) => {
    const full = join(folder, 'full')
    await fill(full)
    return [
      ...(await startFigures(node, folder, full)),
      ...(await Promise.all(others.map((other) => startFigures(other, folder, full)))).flat().map(withoutBar),
      shown('size of the bundle', sizeOf(dist) / 1024, 'KiB'),
      shown('size of what every start loads', statSync(loader).size / 1024, 'KiB'),
    ]
  })
}

async function startFigures(node, folder, full) {
  await using server = await wireServer({ lines: [{ ...line('Done.'), repeat: 'any' }] })
  const empty = join(folder, `empty-${node.replaceAll(/\W/g, '')}`)
  mkdirSync(join(empty, '.loader'), { recursive: true })
  const environment = {
    ...process.env,
    LOADER_CONFIG_DIR: join(folder, 'config'),
    LOADER_STATE: join(folder, 'state'),
    OLLAMA_HOST: server.url,
    CI: '1',
  }
  const whole = (...words) => {
    const start = performance.now()
    const { status, stderr } = spawnSync(node, words, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
    if (status !== 0) throw new Error(`${words.join(' ')}: ${String(stderr)}`)
    return performance.now() - start
  }
  let asked = 0
  const untilAsked = async () => {
    const words = [loader, '-p', 'Hello!', '-C', empty, '-m', 'ollama/scripted']
    asked += 1
    const start = performance.now()
    const child = spawn(node, words, { env: environment, stdio: ['ignore', 'ignore', 'inherit'] })
    await server.untilAsked(asked)
    const time = performance.now() - start
    await once(child, 'exit')
    return time
  }
  const { ratio, medianMs } = await rounds(21, {
    nothing: () => whole('-e', '0'),
    version: () => whole(loader, '--version'),
    help: () => whole(loader, '--help'),
    sessions: () => whole(loader, 'sessions', '-C', full),
    request: untilAsked,
  })
  const on = ` (Node ${spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim().slice(1)})`
  return [
    shown(`node -e 0${on}`, medianMs.nothing, 'ms'),
    atMost(`--version${on}`, ratio('version', 'nothing'), 'x', 1.5),
    atMost(`--help${on}`, ratio('help', 'nothing'), 'x', 1.7),
    atMost(`sessions, with 1,000 of them${on}`, ratio('sessions', 'nothing'), 'x', 3),
    atMost(`start to the first request, native Ollama${on}`, ratio('request', 'nothing'), 'x', 6),
  ]
}

function withoutBar({ figure, value, unit }) {
  return shown(figure, value, unit)
}

async function fill(folder) {
  mkdirSync(folder)
  const store = new FileSessionStore({ root: folder })
  const environment = systemEnvironment()
  const open = async (number) => {
    const session = await Session.open(store, { environment, title: `Please see to part ${number} of the work` })
    await session.close()
  }
  for (let number = 0; number < sessions; number += 50) {
    await Promise.all(Array.from({ length: 50 }, (_unused, index) => open(number + index)))
  }
}

function sizeOf(folder) {
  if (!existsSync(folder)) throw new Error('There is no build of the command. Run: pnpm run build')
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}
