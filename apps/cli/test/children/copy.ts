// Copies session `one`: `node copy.ts AT ADDRESS TENANT FOLDER files|database`. Kills itself right after call number AT that
// changes a file or sends something to the database; prints how many such calls there were where it gets to the end.
import fs from 'node:fs'
import { Socket } from 'node:net'
import { FileSessionStore } from '@loader/session-fs'
import { PostgresSessionStore } from '@loader/session-postgres'
import { copySession } from '../../src/sessions/copy-session.ts'

const [at = '', address = '', tenant = '', directory = '', to] = process.argv.slice(2)
let calls = 0

function counted<Arguments extends unknown[], Result>(call: (this: unknown, ...words: Arguments) => Result) {
  return function (this: unknown, ...words: Arguments): Result {
    const result = call.apply(this, words)
    calls += 1
    if (calls === Number(at)) process.kill(process.pid, 'SIGKILL')
    return result
  }
}

const changes = [
  'writeSync',
  'writevSync',
  'fsyncSync',
  'fdatasyncSync',
  'renameSync',
  'linkSync',
  'unlinkSync',
  'mkdirSync',
  'openSync',
  'ftruncateSync',
] as const
const pool = ['fsync', 'fdatasync', 'write', 'writev'] as const
for (const name of [...changes, ...pool])
  Object.assign(fs, { [name]: counted(fs[name] as (...words: unknown[]) => unknown) })
for (const name of ['_write', '_writev'] as const) {
  const send = Socket.prototype[name] as (...words: unknown[]) => unknown
  Object.assign(Socket.prototype, { [name]: counted(send) })
}

const files = new FileSessionStore({ directory }, { fileSystem: fs })
const database = new PostgresSessionStore(address, { tenant })
const [source, target] = to === 'files' ? [database, files] : [files, database]
await copySession(source, target, 'one')
await database.close()
const all = calls
// What is printed goes through a socket as well.
calls = Number.NEGATIVE_INFINITY
console.log(all)
