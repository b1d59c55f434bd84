// What another program at the terminal is measured with: brought from the registry when the bench runs, and kept.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const kept = fileURLToPath(new URL('../../.turbo/bench-rivals/', import.meta.url))
const name = '@earendil-works/pi-coding-agent'
/** One version, so that runs can be compared: the one that draws with the same version of the library. */
const version = '0.87.1'

/** The way to start pi, in front of a server and without the user's own settings; undefined where it cannot be had. */
export function pi(folder, serverUrl) {
  const home = join(kept, `pi-${version}`)
  const place = join(home, 'node_modules', name)
  if (!existsSync(place)) {
    mkdirSync(home, { recursive: true })
    const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
    if (
      spawnSync('npm', ['install', '--prefix', home, ...flags, `${name}@${version}`], { stdio: 'ignore' }).status !== 0
    )
      return undefined
  }
  const { bin } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'))
  const settings = join(folder, 'pi')
  mkdirSync(settings, { recursive: true })
  const models = [{ id: 'scripted', contextWindow: 100_000 }]
  const mock = { baseUrl: `${serverUrl}/v1`, api: 'openai-completions', apiKey: 'none', models }
  writeFileSync(join(settings, 'models.json'), JSON.stringify({ providers: { mock } }))
  writeFileSync(join(settings, 'settings.json'), JSON.stringify({ defaultProvider: 'mock', defaultModel: 'scripted' }))
  return {
    version,
    words: [join(place, bin.pi), '--provider', 'mock', '--model', 'scripted'],
    environment: { PI_CODING_AGENT_DIR: settings, PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1', PI_TELEMETRY: '0' },
  }
}
