import { FileSessionStore } from '@loader/session-fs'
import { serveWeb } from '../../../src/server/serve-web.ts'
import { sessionsOf } from '../sessions-of.ts'

// A server that a test can kill: its folder, its port and its page are arguments.
const [directory = '', port = '0', pageFolder = ''] = process.argv.slice(2)
const server = await serveWeb({
  sessions: sessionsOf(new FileSessionStore({ directory })),
  pageFolder,
  host: '127.0.0.1',
  port: Number(port),
  token: process.env['LOADER_WEB_TOKEN'] ?? '',
  version: '0.0.0',
  store: directory,
  project: '/project',
  readOnly: true,
  report: (error) => console.error(error),
})
console.log(server.address)
