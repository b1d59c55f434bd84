import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { call, line } from '@loader/test-harness'
import { wireServer } from '@loader/test-harness/wire'
import { environmentIn } from './environment.mjs'

const tellPeak = fileURLToPath(new URL('./tell-peak.mjs', import.meta.url))
const record = 'What this record says is told in about as many words as a short file has. '.repeat(6)

/** The most memory, in MiB, that the command has while its model looks up so many records, one after the other. */
export async function peakOfCommand(node, loader, folder, turns) {
  const project = join(folder, `records-${turns}`)
  mkdirSync(join(project, '.loader'), { recursive: true })
  const numbers = Array.from({ length: turns }, (_unused, index) => index + 1)
  for (const number of numbers) writeFileSync(join(project, `${number}.txt`), record)
  const lookUp = (number) => line(`I look up record ${number}.`, call('read', { file_path: `${number}.txt` }))
  await using server = await wireServer({
    lines: [...numbers.map(lookUp), { ...line('The records say what they say.'), repeat: 'any' }],
    models: [{ id: 'scripted', contextWindow: 128_000 }],
  })
  const file = join(folder, `peak-${turns}`)
  const words = ['-p', 'Explain what the records say.', '-C', project, '-m', 'ollama/scripted']
  const more = ['--max-turns', String(turns + 10)]
  const child = spawn(node, ['--import', tellPeak, loader, ...words, ...more], {
    env: environmentIn(folder, { OLLAMA_HOST: server.url, PEAK_FILE: file }),
    stdio: 'ignore',
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`The command ended with ${code} after ${server.requests.length} requests.`)
  return Number(readFileSync(file, 'utf8')) / 1024
}
