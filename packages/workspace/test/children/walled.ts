/**
 * Runs commands within walls for the process that started it, with the rights of another user if that is asked for. Each
 * message is a request; each answer is what became of it.
 *
 *   fork('walled.ts', ['<uid>'])
 */
import { childVariables, findWalls, type FindWallsOptions, type Walls } from '@loader/workspace'
import { knownSecrets } from '../../src/processes/known-secrets.ts'
import type { WalledAnswer, WalledMessage, WalledRequest } from '../walls/walled-run.ts'

const uid = Number(process.argv[2] ?? '0')
if (uid !== 0) {
  process.setgroups?.([])
  process.setgid?.(uid)
  process.setuid?.(uid)
}

process.on('message', (message: WalledMessage) => void reply(message))

async function reply(message: WalledMessage): Promise<void> {
  process.send?.(await answered(message))
}

/** The same for the same place, as in a process of the product. */
const known = new Map<string, Promise<Walls>>()

function wallsFor(options: FindWallsOptions): Promise<Walls> {
  const key = JSON.stringify(options)
  const walls = known.get(key) ?? findWalls(options)
  known.set(key, walls)
  return walls
}

async function answered(message: WalledMessage): Promise<WalledAnswer> {
  try {
    if (!('forget' in message)) return await answer(message)
    const { root, variables = {} } = message.forget
    const walls = await wallsFor({ root, variables })
    walls.forget(message.forget)
    return { forgotten: true }
  } catch (error) {
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

async function answer({ place, reach, command, cwd, options }: WalledRequest): Promise<WalledAnswer> {
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
  const { ending, output, setAside, layered, walls: record, secretsReplaced } = ended
  const exitCode = ending.how === 'exited' ? ending.exitCode : -1
  const why = ending.how === 'not_started' ? ending.why : ''
  return { output: output.text() + why, exitCode, setAside, layered, walls: record, secretsReplaced }
}
