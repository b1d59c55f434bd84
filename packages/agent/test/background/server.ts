/** A server that shows what page.txt says, as pages of projects do. */
export const serverText = `
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
createServer((asked, answer) => {
  answer.setHeader('content-type', 'text/html')
  answer.setHeader('set-cookie', 'seen=yes')
  answer.end('<h1>' + readFileSync('page.txt', 'utf8').trim() + '</h1><p>' + JSON.stringify(asked.headers) + '</p>')
}).listen(4173, '127.0.0.1', () => console.log('ready'))
`

export const startServer = { command: 'node server.mjs', background: true }
