import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { exportFormat, exportVersion, fold, parseEvent, type StoredEvent, summarize } from '@loader/session-core'
import { builtPage } from '@loader/test-browser'
import { protocolVersion } from '../../src/protocol.ts'
import { readPage } from '../../src/server/page-files.ts'
import { pageWithData } from '../../src/server/page-with-data.ts'

/** A file with the page and a session in it. */
export interface ExportedPage extends Disposable {
  readonly url: string
}

const sessions = join(import.meta.dirname, '../../../../packages/readings/test/sessions')

/** The events of a recorded session. */
export function recordedEvents(name: string): StoredEvent[] {
  const lines = readFileSync(join(sessions, `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
  return lines.map((line) => parseEvent(JSON.parse(line)))
}

/** The page as `loader export --format html` writes it. */
export function exportedPage(events: readonly StoredEvent[]): ExportedPage {
  const state = fold(events)
  if (state === null) throw new Error('A session has a first event.')
  const row = summarize(state)
  const document = {
    format: exportFormat,
    version: exportVersion,
    exportedAt: row.updatedAt,
    loader: '0.0.0',
    session: { id: row.id, title: row.title, lastSeq: row.seq },
    secrets: 'replaced',
    blobs: {},
    events: [...events],
  } as const
  const page = pageWithData(
    readPage(builtPage()),
    { protocol: protocolVersion, kind: 'export', document, row },
    row.title,
  )
  const folder = mkdtempSync(join(tmpdir(), 'loader-page-'))
  const file = join(folder, 'page.html')
  writeFileSync(file, page)
  return { url: pathToFileURL(file).href, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}
