import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ListeningPort, Reach } from '@loader/session-core/coding'
import { codeOf } from '../paths/system-errors.ts'
import { placeOfPorts, portsOf } from './ports.ts'
import { backgroundFolder, commandFolders, readRecord, standingOf } from './record.ts'
import { stopCommand } from './stop.ts'

/** A background command of this machine that goes on, of whichever session. */
export interface LivingCommand {
  readonly id: string
  readonly session: string
  readonly root: string
  readonly command: string
  readonly reach: Reach
  readonly keeps: boolean
  readonly startedAt: string
  readonly ports: readonly ListeningPort[]
  readonly folder: string
}

/** Those that go on, of the sessions whose private folders lie in this folder. */
export function livingCommands(scratch: string): readonly LivingCommand[] {
  return namesIn(scratch).flatMap((session) => {
    const folders = commandFolders(backgroundFolder(join(scratch, session)))
    return folders.flatMap((folder) => {
      const record = readRecord(folder)
      if (record === undefined || standingOf(record) !== 'goes_on') return []
      const { id, root, command, reach, keeps, startedAt, leader } = record
      const ports = leader === undefined ? [] : portsOf(leader).map(({ port }) => ({ port, on: placeOfPorts(leader) }))
      return [{ id, session: record.session, root, command, reach, keeps, startedAt, ports, folder }]
    })
  })
}

/** Ends a command of any process. False if it goes on nevertheless. */
export function stopLiving({ folder }: LivingCommand): Promise<boolean> {
  return stopCommand(folder)
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return []
    throw error
  }
}
