// The same conversation in Loader and in pi, at three widths, as tmux shows it: .turbo/bench/screens/*.txt and *.ansi.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { call, line } from '@loader/test-harness'
import { wireServer } from '@loader/test-harness/wire'
import { pi } from './rival.mjs'

const out = fileURLToPath(new URL('../../.turbo/bench/screens/', import.meta.url))
const answer = `Now \`sum\` **adds**; 日本語 and 👩‍💻 and مرحبا are shown too.

| what | why |
|---|---|
| 日本語 | it is wide |
| a long cell that does not fit where there is little room, so that it goes on | narrow |

1. First
   - inner
2. Second

\`\`\`js
export const sum = (a, b) => a + b // adds
\`\`\`
`

const edits = {
  loader: { file_path: 'sum.js', old_string: 'a - b', new_string: 'a + b' },
  pi: { path: 'sum.js', edits: [{ oldText: 'a - b', newText: 'a + b' }] },
}

export async function saveScreens({ folder, environment, loader }) {
  if (spawnSync('tmux', ['-V']).status !== 0) return
  mkdirSync(out, { recursive: true })
  for (const columns of [60, 80, 100]) {
    for (const name of ['loader', 'pi']) {
      const lines = [
        line(
          'I look.',
          call('bash', { command: 'seq 12' }),
          call('read', name === 'pi' ? { path: 'sum.js' } : { file_path: 'sum.js' }),
        ),
        line('I mend it.', call('edit', edits[name])),
        line(answer),
        { ...line('And again.'), repeat: 'any' },
      ]
      await using server = await wireServer({ lines })
      writeFileSync(join(folder, 'sum.js'), 'export const sum = (a, b) => a - b\n')
      const how = howTo(name, { loader, folder, server, environment })
      await converse(`${name}-${columns}`, { columns, folder, ...how })
    }
  }
}

function howTo(name, { loader, folder, server, environment }) {
  if (name === 'loader') {
    const words = [process.execPath, loader, '-m', 'ollama/scripted']
    return { words, environment: { ...environment, OLLAMA_HOST: server.url } }
  }
  const rival = pi(join(folder, '..'), server.url)
  return { words: [process.execPath, ...rival.words], environment: { ...environment, ...rival.environment } }
}

async function converse(name, { columns, folder, words, environment }) {
  const socket = `loader-bench-${process.pid}`
  const tmux = (...all) => execFileSync('tmux', ['-L', socket, ...all], { encoding: 'utf8', env: environment })
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
  const steady = async () => {
    for (let before = ''; ;) {
      const now = tmux('capture-pane', '-p', '-S', '-500')
      if (now === before) return
      before = now
      await pause(1_500)
    }
  }
  const quoted = words.map((word) => `'${word}'`).join(' ')
  tmux('-f', '/dev/null', 'new-session', '-d', '-x', String(columns), '-y', '40', '-c', folder, `${quoted}; sleep 1`)
  try {
    tmux('set-option', '-g', 'status', 'off')
    await steady()
    for (const task of ['Mend sum.js, please', 'Thanks!']) {
      tmux('send-keys', '-l', task)
      tmux('send-keys', 'Enter')
      await steady()
    }
    writeFileSync(join(out, `${name}.txt`), tmux('capture-pane', '-p', '-S', '-500'))
    writeFileSync(join(out, `${name}.ansi`), tmux('capture-pane', '-p', '-e', '-S', '-500'))
  } finally {
    spawnSync('tmux', ['-L', socket, 'kill-server'])
  }
}
