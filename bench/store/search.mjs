import { execFileSync } from 'node:child_process'
import { existsSync, linkSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Session } from '@loader/session-core'
import { FileSessionStore, systemEnvironment } from '@loader/session-fs'
import { environmentIn } from '../cli/environment.mjs'
import { atMost, shown } from './figure.mjs'
import { rounds, timed } from './rounds.mjs'
import { idsOf, writeIndex } from './rows.mjs'
import { workday } from './workday.mjs'

const loader = fileURLToPath(new URL('../../apps/cli/dist/loader.js', import.meta.url))
const count = 500
const wanted = 'Zanzibar'

/** What searching the messages of many sessions takes, beside looking for the word in the same files. */
export async function searchFigures(folder) {
  if (!existsSync(loader)) throw new Error('The command is not built: pnpm run build.')
  const project = join(folder, 'search')
  const directory = join(project, '.loader', 'sessions')
  mkdirSync(directory, { recursive: true })
  await fill(directory)
  const run = (...words) =>
    execFileSync(process.execPath, [loader, 'sessions', '--json', '-C', project, ...words], {
      env: environmentIn(folder, {}),
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    })
  const found = JSON.parse(run('--search', wanted)).sessions
  if (found.length !== 1 || found[0].matches.length !== 1) throw new Error('The search does not find what is there.')
  const { medianMs, ratio } = await rounds(5, {
    list: () => timed(() => run()),
    search: () => timed(() => run('--search', wanted)),
    // In any case, as the command searches.
    grep: () => timed(() => execFileSync('grep', ['-rliF', wanted, directory])),
  })
  return [
    shown('list of 500 sessions, the command', medianMs.list, 'ms'),
    shown('search in 500 sessions, the command', medianMs.search, 'ms'),
    atMost('the same to grep -ri in their files', ratio('search', 'grep'), 'x', 2),
  ]
}

/** One session has the word; the others are all the same one, under other names. */
async function fill(directory) {
  const ids = idsOf(count)
  const base = await workday(directory, 'base', 1)
  const files = readdirSync(base.directory).filter((name) => name.startsWith('base.'))
  for (const id of ids)
    for (const name of files) linkSync(join(base.directory, name), join(directory, name.replace('base', id)))
  const options = { environment: systemEnvironment(), id: 'with_word' }
  const session = await Session.open(new FileSessionStore({ directory }), options)
  const content = [{ type: 'text', text: `How far is it to ${wanted}?` }]
  const message = { id: 'msg_1', role: 'user', origin: 'import', content, at: '2026-01-01T00:00:00.000Z' }
  await session.append({ type: 'session.imported', source: { kind: 'bench' }, messages: [message] })
  await session.close()
  writeIndex(directory, ['with_word', ...ids])
}
