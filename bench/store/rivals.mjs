import { appendFileSync, closeSync, fdatasyncSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { messageEvent } from './sessions.mjs'

let seq = 0
const line = () => `${JSON.stringify(messageEvent((seq += 1)))}\n`

/** What every append is measured against: serialise 1 KB, append it to an open file, fdatasync. */
export function reference(folder) {
  const fd = openSync(join(folder, 'reference.jsonl'), 'a')
  return () => {
    writeSync(fd, line())
    fdatasyncSync(fd)
  }
}

/** The least that a journal can do: the same line into space that exists, which the flush finds in its books already. */
export function intoSpace(folder) {
  const space = 8 * 1024 * 1024
  const fd = openSync(join(folder, 'space.jsonl'), 'w')
  writeSync(fd, Buffer.alloc(space, '\n'), 0, space, 0)
  fsyncSync(fd)
  let end = 0
  return () => {
    const text = line()
    if (end + text.length > space) end = 0
    end += writeSync(fd, text, end)
    fdatasyncSync(fd)
  }
}

/** Appends lines that the system has, and that are not flushed to the disk. */
export function unsyncedLines(folder) {
  const path = join(folder, 'unsynced.jsonl')
  return () => appendFileSync(path, line())
}

/** A whole session of so many messages, written anew. */
export function wholeFile(folder, messages) {
  const path = join(folder, 'whole.json')
  const session = { messages: Array.from({ length: messages }, (_, i) => messageEvent(i + 1)) }
  return () => writeFileAtomic(path, JSON.stringify(session))
}

/** Temporary file, fsync, rename, fsync of the folder; nothing but calls. */
export function replaceAtomically(path, bytes) {
  const fd = openSync(`${path}.tmp`, 'w')
  writeSync(fd, bytes)
  fsyncSync(fd)
  closeSync(fd)
  renameSync(`${path}.tmp`, path)
  const directory = openSync(dirname(path), 'r')
  fsyncSync(directory)
  closeSync(directory)
}

/** SQLite with a log that is flushed at every commit, twice: as a store of sessions, and with nothing but a row number. */
export async function sqliteFull(folder) {
  const { DatabaseSync } = await import('node:sqlite')
  const open = (name, schema) => {
    const database = new DatabaseSync(join(folder, name))
    database.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; ${schema}`)
    return database
  }
  const store = open(
    'store.sqlite',
    `CREATE TABLE session (id TEXT PRIMARY KEY, seq INTEGER);
     CREATE TABLE event (session TEXT, seq INTEGER, event TEXT, PRIMARY KEY (session, seq)) WITHOUT ROWID;
     INSERT INTO session VALUES ('one', 0)`,
  )
  const insert = store.prepare('INSERT INTO event VALUES (?, ?, ?)')
  const update = store.prepare('UPDATE session SET seq = ? WHERE id = ?')
  const rows = open('rows.sqlite', 'CREATE TABLE event (event TEXT)').prepare('INSERT INTO event VALUES (?)')
  return {
    asStore: () => {
      const text = line()
      store.exec('BEGIN IMMEDIATE')
      insert.run('one', seq, text)
      update.run(seq, 'one')
      store.exec('COMMIT')
    },
    asRows: () => rows.run(line()),
  }
}
