// Asks a server that is known from the file, and prints the answer and what keeps the process alive then.
import { setTimeout as passed } from 'node:timers/promises'
import { ollama } from '@loader/backends'
import { request } from '../requests.ts'

const [baseUrl = '', knownModelsFile = ''] = process.argv.slice(2)
let answer = ''
for await (const event of ollama({ baseUrl, model: 'm', variables: {}, knownModelsFile }).stream(request())) {
  if (event.type === 'text') answer += event.delta
}
// Connections are made, and questions asked, a moment later.
await passed(200)
const keptAliveBy = process.getActiveResourcesInfo().filter((name) => /TCP|Timeout|GetAddrInfo/.test(name))
console.log(JSON.stringify({ answer, keptAliveBy }))
