import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { join, relative, sep } from 'node:path'
import { type ProcessTable, systemProcesses } from '@loader/session-fs'
import { codeOf } from '@loader/workspace'

/** A folder that no other process of this machine works in until it is released. */
export interface FolderInHand extends Disposable {
  readonly folder: string
}

/** The folder, beside those of the projects, with the files that say who works where. */
const place = '.in-hand'

/**
 * Takes a folder under `projects`, or the one under it that it lies in; undefined where another session, or another process
 * of this machine that still lives, has it. The claim of a session cannot say so: a process that stood still for longer than
 * its lease has lost its sessions, and writes the file that it was about to write when it goes on.
 *
 * 1. Each holder writes a file of the next number, which can be made once. The highest one says who has the folder.
 * 2. A file is written elsewhere and then linked, so it is whole. The highest one is never removed, only those below it.
 * 3. What a process held is free when it has ended, however it did. Of a process of another machine nothing can be told:
 *    its folders are not kept for it.
 */
export function takeInHand(
  projects: string,
  folder: string,
  processes: ProcessTable = systemProcesses(),
): FolderInHand | undefined {
  const [name = ''] = relative(projects, folder).split(sep)
  const hands = join(projects, place)
  mkdirSync(hands, { recursive: true })
  for (;;) {
    const last = highest(hands, name)
    if (last > 0 && isHeld(fileOf(hands, name, last), processes)) return undefined
    const mine = fileOf(hands, name, last + 1)
    if (!writeOnce(mine, processes)) continue
    // A faster process has a higher number, and removed this file, so that this process could make it again.
    if (highest(hands, name) !== last + 1) {
      rmSync(mine, { force: true })
      continue
    }
    for (const number of numbersOf(hands, name))
      if (number <= last) rmSync(fileOf(hands, name, number), { force: true })
    return { folder, [Symbol.dispose]: () => letGo(mine) }
  }
}

const free = 'free\n'

function letGo(file: string): void {
  try {
    writeFileSync(file, free)
  } catch (error) {
    // If this cannot be written, the folder is free when this process ends.
    if (codeOf(error) === undefined) throw error
  }
}

function fileOf(hands: string, name: string, number: number): string {
  return join(hands, `${name}.${number}`)
}

function numbersOf(hands: string, name: string): readonly number[] {
  return readdirSync(hands).flatMap((file) => {
    const [, of, number] = /^(.*)\.(\d+)$/.exec(file) ?? []
    return of === name ? [Number(number)] : []
  })
}

function highest(hands: string, name: string): number {
  return Math.max(0, ...numbersOf(hands, name))
}

/** False where there is such a file already. */
function writeOnce(file: string, { self }: ProcessTable): boolean {
  const temporary = `${file}-${randomUUID()}`
  writeFileSync(temporary, `${JSON.stringify(self)}\n`)
  try {
    linkSync(temporary, file)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    rmSync(temporary, { force: true })
  }
}

function isHeld(file: string, processes: ProcessTable): boolean {
  const holder = textOf(file)
  if (holder === undefined || holder === free) return false
  try {
    return processes.stateOf(JSON.parse(holder) as ProcessTable['self']) === 'alive'
  } catch (error) {
    // A disk that was full, or a person, has left something else there.
    if (error instanceof SyntaxError) return false
    throw error
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}
