import { PassThrough, Readable } from 'node:stream'
import type { Console } from '../../src/console/console.ts'
import { stateFolderOf } from './store-in.ts'
import { start } from '../../src/start.ts'

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface FakeOptions {
  readonly folder: string
  readonly columns?: number
  /** What the user types; with it, everything is a terminal. */
  readonly typed?: string
  readonly environment?: Readonly<Record<string, string>>
}

/** Runs a command in this process, as if it had been started in a folder. */
export async function loader(words: readonly string[], options: FakeOptions): Promise<Ran> {
  const { folder, columns, typed, environment = {} } = options
  const out = collector()
  const err = collector()
  const stdin = Readable.from(typed === undefined ? [] : [Buffer.from(typed)])
  const console: Console = {
    stdin: Object.assign(stdin, { isTTY: typed !== undefined }),
    stdout: Object.assign(out.stream, { isTTY: typed !== undefined, ...(columns !== undefined && { columns }) }),
    stderr: Object.assign(err.stream, { isTTY: typed !== undefined }),
    environment: {
      LOADER_STATE: stateFolderOf(folder),
      LOADER_CONFIG_DIR: `${folder}/config`,
      // What is known of a server of another test, which had the same port, is not true of this one.
      XDG_CACHE_HOME: `${stateFolderOf(folder)}/cache`,
      LOADER_WALLS: 'off',
      NO_COLOR: '1',
      PATH: process.env['PATH'],
      ...environment,
    },
    folder,
    version: '0.0.0',
  }
  const code = await start(words, console)
  return { code, out: out.text(), err: err.text() }
}

function collector() {
  const chunks: string[] = []
  const stream = new PassThrough()
  stream.on('data', (chunk: Buffer) => chunks.push(chunk.toString()))
  return {
    stream,
    text() {
      stream.read()
      return chunks.join('')
    },
  }
}
