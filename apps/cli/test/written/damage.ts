import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { storeIn } from './store-in.ts'

/** Breaks the log in the middle, and what could stand in for it. */
export function damage(root: string, id: string, within = 'input.queued'): void {
  const folder = storeIn(root).directory
  for (const name of readdirSync(folder)) {
    if (name.startsWith('_index')) writeFileSync(join(folder, name), '')
    if (name === `${id}.json`) appendFileSync(join(folder, name), 'x')
    if (name !== `${id}.journal.jsonl`) continue
    const text = readFileSync(join(folder, name), 'latin1')
    writeFileSync(join(folder, name), text.replace(within, 'X'.repeat(within.length)), 'latin1')
  }
}
