/**
 * Takes images into a session, a blob and the event that names it at a time, and ends itself (SIGKILL) before one of its
 * calls to the file system.
 *
 *   node image-writer.ts <directory> <session> <which>
 *
 * `which` is the number of the call, from 1; 0 for none; or `event 2`: the first call on the journal for the event that
 * names the second blob.
 *
 * Prints `call <name> <path>` for each call, and `acknowledged <blob>` for each image whose event was acknowledged.
 */
import fileSystem, { writeSync } from 'node:fs'
import { ownerOf, Session } from '@loader/session-core'
import { FileSessionStore, systemEnvironment } from '@loader/session-fs'
import { interrupted } from './interrupted.ts'

const [directory = '', id = '', which = ''] = process.argv.slice(2)
let isWatched = false
let count = 0
/** The image whose event comes next. */
let naming = 0
const port = interrupted(fileSystem, ({ name, paths }) => {
  if (!isWatched) return
  count += 1
  const isEvent = which === `event ${naming}` && paths.some((path) => path.includes('.journal'))
  if (isEvent || count === Number(which)) process.kill(process.pid, 'SIGKILL')
  say(`call ${name} ${paths.join(' ')}`)
})
const store = new FileSessionStore({ directory }, { fileSystem: port, commit: 'inline' })
const environment = systemEnvironment()
const session = await Session.open(store, { environment, owner: ownerOf('Agent'), id, project: { root: directory } })
isWatched = true
for (const image of [1, 2]) {
  const { blob, bytes } = await session.blobs.put(`image ${image} `.repeat(5000))
  naming = image
  const data = { blob, bytes, excerpt: '' }
  const files = [{ type: 'file' as const, mediaType: 'image/png', source: { kind: 'base64' as const, data } }]
  await session.append({ type: 'input.queued', inputId: `in_${image}`, text: 'Look.', files })
  naming = 0
  say(`acknowledged ${blob}`)
}

function say(line: string): void {
  writeSync(1, `${line}\n`)
}
