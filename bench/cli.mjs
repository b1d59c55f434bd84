// Starting must feel like nothing: a whole process is held against a Node that does nothing, and the way to the first
// request against the least that can be called an agent, all of them in turns.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Session } from '@loader/session-core'
import { FileSessionStore, systemEnvironment } from '@loader/session-fs'
import { line } from '@loader/test-harness'
import { wireServer } from '@loader/test-harness/wire'
import { environmentIn } from './cli/environment.mjs'
import { peakOfCommand } from './cli/peak.mjs'
import { atMost, shown } from './store/figure.mjs'
import { withFolder } from './store/folder.mjs'
import { rounds } from './store/rounds.mjs'

const dist = fileURLToPath(new URL('../apps/cli/dist', import.meta.url))
const loader = join(dist, 'loader.js')
const floor = fileURLToPath(new URL('./cli/floor.mjs', import.meta.url))
const sessions = 1_000

export async function figures() {
  const node = process.execPath
  const others = process.env.LOADER_NODE && process.env.LOADER_NODE !== node ? [process.env.LOADER_NODE] : []
  return withFolder(async (folder) => {
    const full = join(folder, 'full')
    await fill(full)
    return [
      ...(await startFigures(node, folder, full)),
      ...(await Promise.all(others.map((other) => startFigures(other, folder, full)))).flat().map(withoutBar),
      atMost('peak memory of the command, 50 turns', await peakOfCommand(node, loader, folder, 50), 'MiB', 110),
      atMost('peak memory of the command, 300 turns', await peakOfCommand(node, loader, folder, 300), 'MiB', 150),
      shown('size of the bundle', sizeOf(dist) / 1024, 'KiB'),
      shown('size of what is started', statSync(loader).size / 1024, 'KiB'),
    ]
  })
}

async function startFigures(node, folder, full) {
  await using server = await wireServer({ lines: [{ ...line('Done.'), repeat: 'any' }] })
  const empty = join(folder, `empty-${node.replaceAll(/\W/g, '')}`)
  mkdirSync(join(empty, '.loader'), { recursive: true })
  const environment = environmentIn(folder, { OLLAMA_HOST: server.url })
  const providers = { mine: { api: 'openai-compatible', baseUrl: `${server.url}/v1` } }
  mkdirSync(environment.LOADER_CONFIG_DIR, { recursive: true })
  writeFileSync(join(environment.LOADER_CONFIG_DIR, 'settings.json'), JSON.stringify({ providers }))
  const whole = (...words) => {
    const start = performance.now()
    const { status, stderr } = spawnSync(node, words, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
    if (status !== 0) throw new Error(`${words.join(' ')}: ${String(stderr)}`)
    return performance.now() - start
  }
  const untilAsked = async (...words) => {
    const asked = server.requests.length + 1
    const start = performance.now()
    const child = spawn(node, words, { cwd: folder, env: environment, stdio: ['ignore', 'ignore', 'inherit'] })
    await server.untilAsked(asked)
    const time = performance.now() - start
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}.`)
    return time
  }
  const command = (model) => untilAsked(loader, '-p', 'Hello!', '-C', empty, '-m', model)
  const least = (protocol) => untilAsked(floor, protocol, server.url, 'scripted', 'Hello!')
  const contenders = {
    nothing: () => whole('-e', '0'),
    version: () => whole(loader, '--version'),
    help: () => whole(loader, '--help'),
    sessions: () => whole(loader, 'sessions', '-C', full),
    openai: () => command('mine/scripted'),
    openaiFloor: () => least('openai'),
    ollama: () => command('ollama/scripted'),
    ollamaFloor: () => least('ollama'),
  }
  // The first start of each compiles, and asks the server what it is.
  for (const start of Object.values(contenders)) await start()
  const { ratio, medianMs } = await rounds(21, contenders)
  const on = ` (Node ${spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim().slice(1)})`
  return [
    shown(`node -e 0${on}`, medianMs.nothing, 'ms'),
    atMost(`--version${on}`, ratio('version', 'nothing'), 'x', 1.3),
    atMost(`--help${on}`, ratio('help', 'nothing'), 'x', 1.7),
    atMost(`sessions, with 1,000 of them${on}`, ratio('sessions', 'nothing'), 'x', 3),
    shown(`start of the floor to its first request${on}`, medianMs.openaiFloor, 'ms'),
    atMost(`start to the first request, OpenAI-compatible, in floors${on}`, ratio('openai', 'openaiFloor'), 'x', 3),
    atMost(`start to the first request, native Ollama, in floors${on}`, ratio('ollama', 'ollamaFloor'), 'x', 3),
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
