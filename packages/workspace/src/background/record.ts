import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BackgroundEnd, Reach } from '@loader/session-core/coding'
import * as z from 'zod'
import { codeOf } from '../paths/system-errors.ts'
import { mayLive } from '../processes/process-mark.ts'

const Ended = z.object({
  how: BackgroundEnd,
  exitCode: z.int().optional(),
  /** Why it was not started. */
  why: z.string().optional(),
  at: z.string(),
  bytes: z.int(),
  secretsReplaced: z.int().optional(),
})

/** What is written about a background command, for every process that comes to see it. */
const BackgroundRecord = z.object({
  id: z.string(),
  session: z.string(),
  root: z.string(),
  callId: z.string().optional(),
  command: z.string(),
  cwd: z.string(),
  reach: Reach,
  keeps: z.boolean(),
  startedAt: z.string(),
  /** The process that runs it and writes this. */
  owner: z.string(),
  /** The first process of the command. Absent until that has begun. */
  leader: z.string().optional(),
  /** The process that keeps the loopback of its session. */
  loopback: z.string().optional(),
  /** What was set aside while it went on, in words. */
  setAside: z.array(z.string()).optional(),
  ended: Ended.optional(),
})
export type BackgroundRecord = z.infer<typeof BackgroundRecord>

/** Where the background commands of a session are kept, below its private folder. */
export function backgroundFolder(session: string): string {
  return join(session, 'background')
}

/** A new folder, with the first number that no command of the session had. */
export function newCommandFolder(all: string): { readonly id: string; readonly folder: string } {
  mkdirSync(all, { recursive: true, mode: 0o700 })
  for (let number = (numbersIn(all).at(-1) ?? 0) + 1; ; number += 1) {
    const folder = join(all, `bg${number}`)
    try {
      mkdirSync(folder, { mode: 0o700 })
      return { id: `bg${number}`, folder }
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
  }
}

/** The folders of all commands of a session, the oldest first. */
export function commandFolders(all: string): readonly string[] {
  return numbersIn(all).map((number) => join(all, `bg${number}`))
}

function numbersIn(all: string): readonly number[] {
  try {
    return readdirSync(all)
      .flatMap((name) => (/^bg[1-9]\d{0,8}$/.test(name) ? [Number(name.slice(2))] : []))
      .toSorted((a, b) => a - b)
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return []
    throw error
  }
}

/** Replaced as a whole, so that no reader sees half of it. */
export function writeRecord(folder: string, record: BackgroundRecord): void {
  const path = join(folder, `record-${process.pid}.tmp`)
  writeFileSync(path, JSON.stringify(record), { mode: 0o600 })
  renameSync(path, join(folder, 'record.json'))
}

export function readRecord(folder: string): BackgroundRecord | undefined {
  try {
    return BackgroundRecord.safeParse(JSON.parse(readFileSync(join(folder, 'record.json'), 'utf8'))).data
  } catch (error) {
    if (error instanceof SyntaxError || codeOf(error) !== undefined) return undefined
    throw error
  }
}

/** `gone`: it ended, and its owner too, before how it ended was written. */
export function standingOf({ ended, leader, owner }: BackgroundRecord): 'goes_on' | 'ended' | 'gone' {
  if (ended !== undefined) return 'ended'
  // Its owner may be about to write how it ended.
  return mayLive(owner) || (leader !== undefined && mayLive(leader)) ? 'goes_on' : 'gone'
}

const stopName = 'stop'

/** Who wants it to end; its owner reads this when it has. */
export function writeStop(folder: string, how: 'stopped' | 'closed'): void {
  writeFileSync(join(folder, stopName), how, { mode: 0o600 })
}

export function readStop(folder: string): 'stopped' | 'closed' | undefined {
  try {
    return readFileSync(join(folder, stopName), 'utf8') === 'closed' ? 'closed' : 'stopped'
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}
