// What the agent adds to each turn, beside the least that an agent can do: a floor program of 70 lines that appends a
// line of JSON and calls fdatasync once a turn. Both take turns in one process and on one disk, asked by a model that
// takes no time, and both run the same tool. Then the same over HTTP, beside a loop of the AI SDK (over-http.mjs).
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { median } from './agent/median.mjs'
import { figuresOverHttp } from './agent/over-http.mjs'
import { runSideBySide } from './agent/side-by-side.mjs'
import { atMost, shown } from './store/figure.mjs'
import { withFolder } from './store/folder.mjs'

const bars = { toFloor: 3.5, late: 1.2 }

export async function figures() {
  return withFolder(async (folder) => {
    // The first sessions warm up: functions are compiled, and the disk knows its folder.
    await runMany(folder, 2, 300)
    const short = await runMany(folder, 24, 50)
    const long = await runMany(folder, 16, 300)
    const compactions = median(long.map((session) => session.compactions))
    return [
      shown('turn of the floor, with its fdatasync', median(short.flatMap(({ floor }) => floor)), 'ms'),
      shown('turn of the agent, 50 turns', median(short.flatMap(({ agent }) => agent)), 'ms'),
      shown(
        `turn of the agent, 300 turns with ${compactions} compactions`,
        median(long.flatMap(({ agent }) => agent)),
        'ms',
      ),
      atMost('50 turns: agent to floor', median(short.flatMap(ratios)), 'x', bars.toFloor),
      atMost('300 turns: agent to floor', median(long.flatMap(ratios)), 'x', bars.toFloor),
      atMost(
        'turn 295 to turn 5',
        median(long.map(({ agent }) => around(agent, 295) / around(agent, 5))),
        'x',
        bars.late,
      ),
      shown('turn 295 to turn 5, floor', median(long.map(({ floor }) => around(floor, 295) / around(floor, 5))), 'x'),
      shown('peak memory of a process with 300 turns, agent', peakOf('agent', folder), 'MiB'),
      shown('peak memory of a process with 300 turns, floor', peakOf('floor', folder), 'MiB'),
      ...(await figuresOverHttp(folder)),
    ]
  })
}

async function runMany(folder, count, turns) {
  const runs = []
  for (let run = 0; run < count; run += 1) runs.push(await runSideBySide(folder, turns))
  return runs
}

/** Turn by turn, so that whatever else the machine does then hits both alike. */
function ratios({ agent, floor }) {
  return agent.slice(0, floor.length).map((ms, turn) => ms / floor[turn])
}

/** The turn and its neighbours: a single one may have met a seal, or the garbage of others. */
function around(turns, number) {
  return median(turns.slice(number - 5, number + 4))
}

function peakOf(who, folder) {
  const file = fileURLToPath(new URL('./agent/peak.mjs', import.meta.url))
  const { stdout, stderr, status } = spawnSync(process.execPath, [...process.execArgv, file, who, folder], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  return Number(stdout)
}
