/**
 * Runs commands in rooms for the process that started it, with the rights of another user if that is asked for. Each
 * message is a request; each answer is what became of it.
 *
 *   fork('rooms.ts', ['<uid>'])
 */
import { join } from 'node:path'
import { LocalTrees, openRooms, type Rooms, programOnPath, wallsAround } from '@loader/workspace'
import type { Asked, RoomsAnswer, RoomsWorld, ToldRun } from '../rooms/rooms-run.ts'

const uid = Number(process.argv[2] ?? '0')
if (uid !== 0) {
  process.setgroups?.([])
  process.setgid?.(uid)
  process.setuid?.(uid)
}

let opened: { readonly trees: LocalTrees; readonly rooms: Rooms } | undefined
let cancel = new AbortController()

process.on(
  'message',
  (request: (Asked & { readonly ticket: number }) | { readonly ask: 'cancel' }) => void reply(request),
)

async function reply(request: (Asked & { readonly ticket: number }) | { readonly ask: 'cancel' }): Promise<void> {
  if (request.ask === 'cancel') cancel.abort()
  else process.send?.(await answer(request, request.ticket))
}

async function answer(request: Asked, ticket: number): Promise<RoomsAnswer> {
  try {
    return { of: request.ask, ticket, ...(await done(request)) }
  } catch (error) {
    return { of: 'failed', ticket, why: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

async function done(request: Asked): Promise<Partial<ToldRun & { readonly id: string }>> {
  if (request.ask === 'open') {
    opened = open(request.world)
    return {}
  }
  if (opened === undefined) throw new Error('nothing is open')
  const { trees, rooms } = opened
  switch (request.ask) {
    case 'take': {
      const taken = await trees.take()
      return { id: taken.kind === 'taken' ? taken.tree.id : taken.why }
    }
    case 'keep': {
      const kept = await rooms.keepIgnored()
      return { id: kept.kind === 'kept' ? kept.id : kept.why }
    }
    case 'run': {
      cancel = new AbortController()
      const { over, ...room } = request.room
      const run = await rooms.run(
        { ...room, ...(over === undefined ? {} : { over: new Map(over) }) },
        {
          timeoutMs: 120_000,
          reach: 'work',
          cap: { headBytes: 100_000, tailBytes: 100_000 },
          signal: cancel.signal,
          onOutput: (chunk) => process.send?.({ of: 'output', chunk } satisfies RoomsAnswer),
          ...request.command,
        },
      )
      const { how, ending, output, withheld, walls } = run
      return { how, ending, output: output.text(), withheld, walls: walls.kind, reports: [...run.reports.keys()] }
    }
    case 'close':
      await rooms[Symbol.asyncDispose]()
      trees[Symbol.dispose]()
      return {}
    default:
      return request satisfies never
  }
}

function open({ root, state, variables, bubblewrap, path = variables['PATH'] ?? '' }: RoomsWorld) {
  const own = { ...variables, PATH: path }
  process.env['PATH'] = path
  const git = programOnPath('git', variables, root)
  const trees = new LocalTrees({ root, folder: join(state, 'files.git'), git, variables })
  const options = { root, variables: own, ...(bubblewrap === undefined ? {} : { bubblewrap }) }
  const walls = wallsAround({ ...options, scratch: join(state, 'scratch') })
  return { trees, rooms: openRooms({ root, trees, walls, stateFolder: state, variables: own }) }
}
