import type { Readable, Writable } from 'node:stream'

/** Streams, environment and folder that a command runs with. They are read from the process once, and passed on. */
export interface Console {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  readonly stderr: Writable & { readonly isTTY?: boolean }
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly folder: string
  readonly version: string
}

const usualColumns = 80

/** The number of columns for output. */
export function columnsOf({ stdout, environment }: Console): number {
  const set = Number(environment['COLUMNS'])
  return stdout.columns ?? (Number.isInteger(set) && set > 0 ? set : usualColumns)
}

/** Whether a user reads the output and can answer. */
export function isInteractive({ stdin, stdout, environment }: Console): boolean {
  return stdin.isTTY === true && stdout.isTTY === true && !environment['CI']
}
