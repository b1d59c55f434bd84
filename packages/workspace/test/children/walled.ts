/**
 * Runs commands within walls for the process that started it, with the rights of another user if that is asked for. Each
 * message is a request; each answer is what became of it.
 *
 *   fork('walled.ts', ['<uid>'])
 */
import { childVariables, findWalls, type FindWallsOptions, knownSecrets, type Walls } from '@loader/workspace'
import type { WalledAnswer, WalledRequest } from '../walls/walled-run.ts'

const uid = Number(process.argv[2] ?? '0')
if (uid !== 0) {
  process.setgroups?.([])
  process.setgid?.(uid)
  process.setuid?.(uid)
}

process.on('message', (request: WalledRequest) => void reply(request))

async function reply(request: WalledRequest): Promise<void> {
  process.send?.(await answer(request))
}

/** The same for the same place, as in a process of the product. */
const known = new Map<string, Promise<Walls>>()

function wallsFor(options: FindWallsOptions): Promise<Walls> {
  const key = JSON.stringify(options)
  const walls = known.get(key) ?? findWalls(options)
  known.set(key, walls)
  return walls
}

async function answer({ place, reach, command, cwd, options, forget }: WalledRequest): Promise<WalledAnswer> {
  try {
    const { variables = {} } = place
    process.env['PATH'] = variables['PATH']
    const walls = await wallsFor({ root: place.root, variables, ...options })
    const ended = await walls.start(
      {
        shell: '/bin/bash',
        command,
        cwd: cwd ?? place.root,
        variables: childVariables({ variables }),
        graceMs: 500,
        timeoutMs: 60_000,
        cap: { headBytes: 400_000, tailBytes: 400_000 },
        secrets: knownSecrets({ variables }),
      },
      reach,
      place,
    )
    if (forget === true) walls.forget(place)
    const { ending, output, setAside, layered, walls: record, secretsReplaced } = ended
    const exitCode = ending.how === 'exited' ? ending.exitCode : -1
    const why = ending.how === 'not_started' ? ending.why : ''
    return { output: output.text() + why, exitCode, setAside, layered, walls: record, secretsReplaced }
  } catch (error) {
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
