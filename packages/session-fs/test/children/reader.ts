/**
 * Reads a whole session again and again until its input ends, and says what it saw: how often, how far, and what was
 * wrong.
 *
 *   node reader.ts <directory> <session>
 */
import { writeSync } from 'node:fs'
import { FileSessionStore } from '@loader/session-fs'

const [directory = '', id = ''] = process.argv.slice(2)
const store = new FileSessionStore({ directory })
const wrong: string[] = []
let isOver = false
let reads = 0
let last = 0
process.stdin.on('end', () => (isOver = true)).resume()

writeSync(1, 'ready\n')
// On a busy machine one read may take as long as all that the writer does.
while (!isOver || reads < 2) {
  const seen = await readOnce()
  if (seen < last) wrong.push(`it went back from ${last} to ${seen}`)
  last = Math.max(last, seen)
  reads += 1
  await new Promise((resolve) => setImmediate(resolve))
}
writeSync(1, `${JSON.stringify({ reads, last, wrong })}\n`)

async function readOnce(): Promise<number> {
  let next = 1
  try {
    for await (const event of store.read(id)) {
      if (event.seq !== next) wrong.push(`${event.seq} where ${next} belongs`)
      next = event.seq + 1
    }
  } catch (error) {
    wrong.push(String(error))
  }
  return next - 1
}
