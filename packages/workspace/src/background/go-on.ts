import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Signal } from '@loader/session-core'
import type { BackgroundEnd, Reach } from '@loader/session-core/coding'
import { codeOf } from '../paths/system-errors.ts'
import { markOf, ownMark } from '../processes/process-mark.ts'
import type { CommandEnding } from '../processes/run-command.ts'
import { removeLayer } from '../walls/layers.ts'
import type { WallsAround } from '../walls/walls-around.ts'
import type { EndedWalledCommand, SetAside } from '../walls/walls.ts'
import { asideNote } from '../walls/withheld.ts'
import { OutputFile } from './output-file.ts'
import { type BackgroundRecord, readStop, writeRecord } from './record.ts'

/** A background command that is to be started. */
export interface ToGoOn {
  readonly id: string
  /** Its folder: record, output, and its layers over packages. */
  readonly folder: string
  readonly session: string
  readonly root: string
  readonly callId?: string | undefined
  readonly command: string
  /** A real path. */
  readonly cwd: string
  readonly reach: Reach
  readonly keeps: boolean
}

/** Longer than any machine runs without a restart: timers cannot be set for more. */
const forEverMs = 2 ** 31 - 1
/** What is kept in memory does not matter: the file has the output. */
const cap = { headBytes: 1000, tailBytes: 1000 }
const sweepEveryMs = 2000
/** Each is a path. A command that makes more of them is not told of every one. */
const mostTold = 50

/**
 * Runs a command that goes on, and writes down what others have to know of it: which process it is, what it prints, and how
 * it ended. It ends with this process, by the kernel where there are walls.
 */
export async function goOn(walls: WallsAround, wanted: ToGoOn, signal: Signal): Promise<EndedWalledCommand> {
  const { folder, id, session, root, callId, command, cwd, reach, keeps } = wanted
  const output = new OutputFile(folder)
  let record: BackgroundRecord = {
    id,
    session,
    root,
    command,
    cwd,
    reach,
    keeps,
    ...(callId !== undefined && { callId }),
    startedAt: new Date().toISOString(),
    owner: ownMark(),
  }
  const note = (more: Partial<BackgroundRecord>) => {
    record = { ...record, ...more }
    writeRecord(folder, record)
  }
  note({})
  const onStarted = (pid: number) => {
    // It may have ended already: then no process has this mark.
    const leader = markOf(pid) ?? `${pid}-0-0-0`
    note({ leader })
    void walls.loopbackOf(session).then((loopback) => loopback !== undefined && note({ loopback }))
  }
  const told = new Set<string>()
  const tell = (aside: readonly SetAside[]) => {
    const fresh = aside.map(asideNote).filter((each) => !told.has(each) && told.size < mostTold)
    for (const each of fresh) told.add(each)
    if (fresh.length > 0) note({ setAside: [...told] })
  }
  // What cannot be looked at now is looked at again: by the next of these, and when the command has ended.
  const sweep = setInterval(() => void walls.sweep(session).then(tell, () => undefined), sweepEveryMs)
  sweep.unref()
  try {
    const layers = join(folder, 'layers')
    const request = { command, cwd, timeoutMs: forEverMs, cap, signal, onOutput: (text: string) => output.add(text) }
    const ended = await walls.run({ ...request, goesOn: { layers }, onStarted }, reach, session)
    tell(ended.setAside)
    note({
      ended: { ...endOf(ended.ending, readStop(folder)), ...countsOf(ended, output), at: new Date().toISOString() },
    })
    return ended
  } finally {
    clearInterval(sweep)
    output.end()
    removeLayers(join(folder, 'layers'))
  }
}

function countsOf({ secretsReplaced }: EndedWalledCommand, { bytes }: OutputFile) {
  return { bytes, ...(secretsReplaced > 0 && { secretsReplaced }) }
}

interface How {
  readonly how: BackgroundEnd
  readonly exitCode?: number
  readonly why?: string
}

/** A command that was asked to end counts as stopped or closed, whatever exit code its shell returned. */
function endOf(ending: CommandEnding, asked: 'stopped' | 'closed' | undefined): How {
  switch (ending.how) {
    case 'exited':
      return { how: asked ?? 'exited', exitCode: ending.exitCode }
    case 'killed':
      return { how: asked ?? 'killed' }
    case 'cancelled':
    case 'timed_out':
      return { how: asked ?? 'stopped' }
    case 'not_started':
      return { how: 'not_started', why: ending.why }
    default:
      return ending satisfies never
  }
}

function removeLayers(layers: string): void {
  try {
    for (const name of readdirSync(layers)) removeLayer(join(layers, name))
  } catch (error) {
    if (codeOf(error) === undefined) throw error
  }
}
