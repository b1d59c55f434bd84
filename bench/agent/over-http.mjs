// A tool turn as a user has it: a model behind HTTP, files of a repository, sessions on the disk. The agent takes turns
// with a loop of the AI SDK that stores nothing and with a floor that stores a line, each in a process of its own.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { atMost, shown } from '../store/figure.mjs'
import { median } from './median.mjs'
import { wireServer } from './wire.mjs'

const bars = { toAiSdk: 2, late: 1.2, peakOf50: 110, peakOf300: 150 }
const kinds = ['agent', 'ai-sdk', 'floor']
const record = 'What this record says is told in about as many words as a short file has. '.repeat(6)
const contender = fileURLToPath(new URL('./contender.mjs', import.meta.url))

export async function figuresOverHttp(folder) {
  const root = join(folder, 'project')
  makeProject(root)
  const server = await wireServer()
  const run = runsOn(server, root)
  try {
    const reading = await inTurns(9, run, [100, 300], 'read')
    const writing = await inTurns(3, run, [20, 60], 'write')
    const peaks = []
    for (const turns of [50, 300]) peaks.push((await run('agent', [turns], 'read')).peak)
    const peakOfAiSdk = (await run('ai-sdk', [300], 'read')).peak
    return [
      ...kinds.map((kind) => shown(`tool turn over HTTP, ${kind}`, typical(reading[kind], 'gaps'), 'ms')),
      ...kinds.map((kind) => shown(`tool turn over HTTP, processor, ${kind}`, typical(reading[kind], 'cpu'), 'ms')),
      atMost('tool turn over HTTP: agent to the AI SDK', ratio(reading, 'gaps'), 'x', bars.toAiSdk),
      atMost('tool turn over HTTP, processor: agent to the AI SDK', ratio(reading, 'cpu'), 'x', bars.toAiSdk),
      atMost('turn 295 to turn 5 over HTTP, agent', growth(reading.agent, 'gaps'), 'x', bars.late),
      ...kinds.map((kind) =>
        shown(`turn 295 to turn 5 over HTTP, processor, ${kind}`, growth(reading[kind], 'cpu'), 'x'),
      ),
      shown('turn 295 to turn 5 over HTTP, ai-sdk', growth(reading['ai-sdk'], 'gaps'), 'x'),
      ...kinds.map((kind) =>
        shown(`turn that writes a file, over HTTP, ${kind}`, typical(writing[kind], 'gaps'), 'ms'),
      ),
      atMost('peak memory after 50 turns over HTTP, agent', peaks[0], 'MiB', bars.peakOf50),
      atMost('peak memory after 300 turns over HTTP, agent', peaks[1], 'MiB', bars.peakOf300),
      shown('peak memory after 300 turns over HTTP, ai-sdk', peakOfAiSdk, 'MiB'),
    ]
  } finally {
    server.close()
  }
}

function makeProject(root) {
  mkdirSync(join(root, 'records'), { recursive: true })
  for (let number = 1; number <= 300; number += 1)
    writeFileSync(join(root, 'records', `${number}.txt`), `${number}: ${record}\n`)
  const git = (...words) => execFileSync('git', words, { cwd: root, stdio: 'ignore' })
  git('init', '-q')
  git('add', '.')
  git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '-qm', 'first')
}

/** Runs sessions with so many turns each, one after the other in a new process; the last one is measured. */
function runsOn(server, root) {
  let count = 0
  return async (kind, turns, tool) => {
    const runs = turns.map((each) => {
      count += 1
      return { name: `run-${count}`, url: server.urlFor(`run-${count}`, answersFor(each, tool)), turns: each }
    })
    const list = JSON.stringify(runs.map((run) => [run.url, run.turns]))
    const child = spawn(process.execPath, [contender, kind, root, list], { stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.on('data', (chunk) => (text += chunk))
    const code = await new Promise((resolve) => child.on('close', resolve))
    if (code !== 0) throw new Error(`${kind} ended with ${code}.`)
    const { sessions, peak } = JSON.parse(text)
    const last = runs.at(-1)
    return { gaps: server.gapsOf(last.name).slice(0, last.turns), cpu: sessions.at(-1).slice(0, last.turns), peak }
  }
}

function answersFor(turns, tool) {
  return (turn) => {
    if (turn > turns) return { text: 'The records say what they say.' }
    const path = { file_path: `records/${turn}.txt` }
    const input = tool === 'read' ? path : { ...path, content: `${turn}, written anew: ${record}\n` }
    return { text: `I see to record ${turn}.`, call: { name: tool, input } }
  }
}

async function inTurns(rounds, run, turns, tool) {
  const all = Object.fromEntries(kinds.map((kind) => [kind, []]))
  for (let round = 0; round < rounds; round += 1) {
    // A different kind is first in each round.
    for (let index = 0; index < kinds.length; index += 1) {
      const kind = kinds[(index + round) % kinds.length]
      all[kind].push(await run(kind, turns, tool))
    }
  }
  return all
}

function typical(runs, what) {
  return median(runs.map((run) => median(run[what])))
}

/** Round by round, so that whatever else the machine does then hits both. */
function ratio(all, what) {
  return median(all.agent.map((run, round) => median(run[what]) / median(all['ai-sdk'][round][what])))
}

/** The turn with its neighbours: a single one may have met the garbage of others. */
function growth(runs, what) {
  return median(runs.map((run) => median(run[what].slice(285, 300)) / median(run[what].slice(0, 15))))
}
