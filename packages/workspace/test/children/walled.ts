/**
 * Runs commands within walls for the process that started it, with the rights of another user if that is asked for. Each
 * message is a request; each answer is what became of it.
 *
 *   fork('walled.ts', ['<uid>'])
 */
import { childVariables, findWalls, knownSecrets } from '@loader/workspace'
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

async function answer({ place, reach, command, cwd, options, forget }: WalledRequest): Promise<WalledAnswer> {
  try {
    const { variables = {} } = place
    process.env['PATH'] = variables['PATH']
    const walls = await findWalls({ root: place.root, variables, ...options })
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
