import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { FileSessionStore } from '@loader/session-fs'
import { atMost, shown } from './figure.mjs'
import { rounds, timed } from './rounds.mjs'

const count = 10_000
/** Rows that changed since the index was written. */
const changed = 300

export async function listFigures(folder) {
  const directory = join(folder, 'list')
  const [index, journal] = ['_index.json', '_index.journal.jsonl'].map((name) => join(directory, name))
  mkdirSync(directory)
  writeIndex(index, journal)
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
  ]
}

/** As the store writes them; making so many sessions would take minutes. */
function writeIndex(index, journal) {
  const rows = Array.from({ length: count }, (_, i) => JSON.stringify(row(count - i)))
  const body = `{"rows":[\n${rows.join(',\n')}\n]`
  writeFileSync(index, `${body},\n"checksum":"${sum(body)}"}\n`)
  const later = Array.from({ length: changed }, (_, i) => JSON.stringify({ ...row(i + 1), updatedAt: time(count + i) }))
  writeFileSync(journal, later.map((line) => `\n["${sum(line)}",${line}]\n`).join(''))
}

function sum(text) {
  return crc32(text).toString(16).padStart(8, '0')
}

function row(number) {
  return {
    id: `ses_${String(number).padStart(8, '0')}`,
    title: `Please see to part ${number} of the work`,
    createdAt: time(0),
    updatedAt: time(number),
    seq: 400 + number,
    status: 'resting',
    turns: 12,
    messages: 60,
    inputTokens: 240_000,
    outputTokens: 9_000,
    mode: 'execute',
    verdict: 'verified',
    lastReason: 'turn_complete',
    lastExcerpt: 'All tests pass. What was asked for is done: the parser reads the new form and keeps the old one.',
    pendingInputs: 0,
    project: '/home/somebody/work/project',
    forkedFrom: null,
    metadata: {},
  }
}

function time(minutes) {
  return new Date(Date.UTC(2026, 0, 1) + minutes * 60_000).toISOString()
}
