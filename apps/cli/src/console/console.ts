import type { Readable, Writable } from 'node:stream'

/** Where a command was started: its streams, its environment, its folder. Read here once, and handed down. */
export interface Console {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  readonly stderr: Writable & { readonly isTTY?: boolean }
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly folder: string
  readonly version: string
}

const usualColumns = 80

/** How wide lines may be. */
export function columnsOf({ stdout, environment }: Console): number {
  const set = Number(environment['COLUMNS'])
  return stdout.columns ?? (Number.isInteger(set) && set > 0 ? set : usualColumns)
}

/** Whether somebody is there who reads what is printed and can answer. */
export function isInteractive({ stdin, stdout, environment }: Console): boolean {
  return stdin.isTTY === true && stdout.isTTY === true && !environment['CI']
}
