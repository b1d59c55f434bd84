// What a person at a terminal waits for: from the start to the prompt, and from a key to what it shows, each beside pi and
// beside the bare editor of the library that both draw with, in turns. Screens of both are saved, to be looked at.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { line } from '@loader/test-harness'
import { wireServer } from '@loader/test-harness/wire'
import { environmentIn } from './cli/environment.mjs'
import { atMost, shown } from './store/figure.mjs'
import { withFolder } from './store/folder.mjs'
import { rounds } from './store/rounds.mjs'
import { pi } from './terminal/rival.mjs'
import { saveScreens } from './terminal/screens.mjs'
import { Seat } from './terminal/seat.mjs'

const loader = fileURLToPath(new URL('../apps/cli/dist/loader.js', import.meta.url))
const editor = fileURLToPath(new URL('./terminal/editor.mjs', import.meta.url))
const starts = 11
const keys = 'abcdefghijklmnopqrstuvwxyz'

export async function figures() {
  return withFolder(async (folder) => {
    await using server = await wireServer({ lines: [{ ...line('Done.'), repeat: 'any' }] })
    const { CI: _none, ...clean } = environmentIn(folder, {
      OLLAMA_HOST: server.url,
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
    })
    const project = join(folder, 'project')
    mkdirSync(join(project, '.git'), { recursive: true })
    writeFileSync(join(project, '.git', 'HEAD'), 'ref: refs/heads/main\n')
    const rival = pi(folder, server.url)
    const seatOf = (words, environment = {}) =>
      new Seat([process.execPath, ...words], { cwd: project, environment: { ...clean, ...environment } })
    const contenders = {
      loader: () => seatOf([loader, '-m', 'ollama/scripted']),
      editor: () => seatOf([editor]),
      ...(rival && { pi: () => seatOf(rival.words, rival.environment) }),
    }
    // A frame with room for words: two rules.
    const isPrompt = (text) => (text.match(/─{20}/g) ?? []).length >= 2
    const start = async (name) => {
      const seat = contenders[name]()
      const time = await seat.until(isPrompt)
      await seat.stop()
      return time
    }
    const names = Object.keys(contenders)
    for (const name of names) await start(name)
    const begun = await rounds(starts, Object.fromEntries(names.map((name) => [name, () => start(name)])))
    const echoed = await echoes(contenders, isPrompt)
    if (rival) await saveScreens({ folder: project, environment: clean, rival, loader })
    const against = rival ? [`pi ${rival.version}`, 'pi'] : undefined
    return [
      shown('start to prompt', begun.medianMs.loader, 'ms'),
      ...(against ? [atMost(`start to prompt, to ${against[0]}`, begun.ratio('loader', 'pi'), 'x', 1)] : []),
      shown('start to prompt, to the bare editor', begun.ratio('loader', 'editor'), 'x'),
      shown('a key to what it shows', echoed.medianMs.loader, 'ms'),
      atMost("a key to what it shows, to the library's editor", echoed.ratio('loader', 'editor'), 'x', 2),
      ...(against ? [atMost(`a key to what it shows, to ${against[0]}`, echoed.ratio('loader', 'pi'), 'x', 1.5)] : []),
    ]
  })
}

/** One key in each, in turns. A key that comes while nothing else is drawn is the usual one. */
async function echoes(contenders, isPrompt) {
  const seats = Object.fromEntries(Object.entries(contenders).map(([name, begin]) => [name, begin()]))
  for (const seat of Object.values(seats)) {
    await seat.until(isPrompt)
    await seat.rest()
  }
  const pause = () => new Promise((resolve) => setTimeout(resolve, 60))
  const typed = Object.fromEntries(
    Object.entries(seats).map(([name, seat]) => [
      name,
      async (round) => {
        await pause()
        return seat.echo(keys[round % keys.length])
      },
    ]),
  )
  const result = await rounds(101, typed)
  for (const seat of Object.values(seats)) await seat.stop()
  return result
}
