import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'

/** The index of a folder with so many sessions, as the store writes it; making so many sessions would take minutes. */
export function writeIndex(directory, ids, { changed = 0 } = {}) {
  const count = ids.length
  const rows = ids.map((id, i) => JSON.stringify(row(id, count - i)))
  const body = `{"rows":[\n${rows.join(',\n')}\n]`
  writeFileSync(join(directory, '_index.json'), `${body},\n"checksum":"${sum(body)}"}\n`)
  const later = ids
    .slice(count - changed)
    .map((id, i) => JSON.stringify({ ...row(id, changed - i), updatedAt: time(count + changed - i) }))
  const lines = later.map((line) => `\n["${sum(line)}",${line}]\n`)
  writeFileSync(join(directory, '_index.journal.jsonl'), lines.join(''))
}

/** Newest first, as the index has them. */
export function idsOf(count) {
  return Array.from({ length: count }, (_, i) => `ses_${String(count - i).padStart(8, '0')}`)
}

function sum(text) {
  return crc32(text).toString(16).padStart(8, '0')
}

function row(id, number) {
  return {
    id,
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
