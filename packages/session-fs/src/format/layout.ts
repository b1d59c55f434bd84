import { join } from 'node:path'

/**
 * Names of the files of a session. Ids that differ only in case are the same session, so files are named in lower
 * case; no id holds a dot, so no name of one session can be that of another.
 */
export interface Layout {
  readonly directory: string
  readonly snapshot: string
  readonly journal: string
  readonly blobs: string
  readonly inbox: string
  segment(number: number): string
  /** Number 0 stays of a session that was deleted, and says which epochs were given. */
  lock(epoch: number): string
}

export function layoutOf(directory: string, id: string): Layout {
  const name = join(directory, id.toLowerCase())
  return {
    directory,
    snapshot: `${name}.json`,
    journal: `${name}.journal.jsonl`,
    blobs: `${name}.blobs`,
    inbox: `${name}.inbox`,
    segment: (number) => `${name}.${number}.json`,
    lock: (epoch) => `${name}.lock.${epoch}`,
  }
}

const segmentName = /^([a-z0-9][a-z0-9_-]*)\.([1-9][0-9]*)\.json$/
const lockName = /^([a-z0-9][a-z0-9_-]*)\.lock\.(0|[1-9][0-9]*)$/

/** The sessions, in lower case, that have a lock among these names. */
export function lockedSessions(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.flatMap((name) => lockName.exec(name)?.[1] ?? []))
}

/** The numbers of the segments of a session among these names, in order. */
export function segmentNumbers(names: readonly string[], id: string): number[] {
  return numbers(names, id, segmentName)
}

export function lockNumbers(names: readonly string[], id: string): number[] {
  return numbers(names, id, lockName)
}

function numbers(names: readonly string[], id: string, pattern: RegExp): number[] {
  const key = id.toLowerCase()
  return names
    .flatMap((name) => {
      const match = pattern.exec(name)
      return match !== null && match[1] === key ? [Number(match[2])] : []
    })
    .sort((one, other) => one - other)
}

const eventFile = /^([a-z0-9][a-z0-9_-]*)\.(?:journal\.jsonl|json|[1-9][0-9]*\.json)$/

/** The session, in lower case, that a file with its events or state belongs to. */
export function sessionOf(name: string): string | undefined {
  return eventFile.exec(name)?.[1]
}

const historyFile = /^([a-z0-9][a-z0-9_-]*)\.(?:journal\.jsonl|[1-9][0-9]*\.json)$/

/** The session, in lower case, that a journal or segment belongs to. */
export function sessionOfEvents(name: string): string | undefined {
  return historyFile.exec(name)?.[1]
}

const textsFolder = /^([a-z0-9][a-z0-9_-]*)\.blobs$/

/** The session, in lower case, that a folder of long texts belongs to. */
export function sessionOfTexts(name: string): string | undefined {
  return textsFolder.exec(name)?.[1]
}
