import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FileSessionStore } from '@loader/session-fs'
import { atMost, shown } from './figure.mjs'
import { rounds, timed } from './rounds.mjs'
import { idsOf, writeIndex } from './rows.mjs'

const count = 10_000
/** Rows that changed since the index was written. */
const changed = 300
/** 40 MB. */
const most = 40e6 / 1024 ** 2

export async function listFigures(folder) {
  const directory = join(folder, 'list')
  const [index, journal] = ['_index.json', '_index.journal.jsonl'].map((name) => join(directory, name))
  const few = join(folder, 'list-few')
  for (const each of [directory, few]) mkdirSync(each)
  writeIndex(directory, idsOf(count), { changed })
  writeIndex(few, idsOf(10))
  const store = new FileSessionStore({ directory })
  const { rows } = await store.list({ limit: 2 * count })
  if (rows.length !== count) throw new Error('The index was not written as the store writes it.')

  const { medianMs, ratio } = await rounds(60, {
    parse: () =>
      timed(() => {
        JSON.parse(readFileSync(index, 'utf8'))
        for (const line of readFileSync(journal, 'utf8').split('\n')) if (line !== '') JSON.parse(line)
      }),
    page: () => timed(() => store.list()),
    search: () => timed(() => store.list({ text: 'part 77' })),
    all: () => timed(() => store.list({ limit: count })),
  })
  return [
    shown('list of 10,000 sessions, first page', medianMs.page, 'ms'),
    atMost('list of 10,000 sessions to reading and parsing the index', ratio('page', 'parse'), 'x', 1.5),
    shown('search in 10,000 sessions, to the same', ratio('search', 'parse'), 'x'),
    shown('all 10,000 rows at once, each checked, to the same', ratio('all', 'parse'), 'x'),
    shown('peak memory of a process that lists 10 rows', peakOf(few, 'page'), 'MiB'),
    atMost('more than that for the first page of 10,000', peakOf(directory, 'page') - peakOf(few, 'page'), 'MiB', most),
    atMost('more than that for all 10,000 rows', peakOf(directory, 'all') - peakOf(few, 'all'), 'MiB', most),
  ]
}

/** In MiB: the least of some, because when garbage is collected is chance. */
function peakOf(directory, what) {
  const program = fileURLToPath(new URL('list-once.mjs', import.meta.url))
  const run = () => Number(execFileSync(process.execPath, [...process.execArgv, program, directory, what]))
  return Math.min(...Array.from({ length: 5 }, run))
}
