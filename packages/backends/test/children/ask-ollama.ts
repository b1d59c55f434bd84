// Asks the server that the argument names, and prints the answer and which of Node's own modules were loaded.
import { ollama } from '@loader/backends'
import { request } from '../requests.ts'

const [baseUrl = ''] = process.argv.slice(2)
let answer = ''
for await (const event of ollama({ baseUrl, model: 'm', variables: {} }).stream(request())) {
  if (event.type === 'text') answer += event.delta
}
const loaded: unknown = Reflect.get(process, 'moduleLoadList')
console.log(JSON.stringify({ answer, loaded }))
