import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { PostgresSessionStore } from '@loader/session-postgres'
import { Dispatch } from '@loader/session-postgres/dispatch'
import type { Server } from '@loader/test-postgres'
import type { WireScriptLine } from '@loader/test-harness/wire'
import { type Running, type Stage, stageOf, type StartOptions } from '../e2e/stage/stage.ts'

/** A database of their own, and machines that work over it: each has a folder with projects, and a state folder. */
export interface FleetStage extends AsyncDisposable {
  readonly one: Stage
  readonly address: string
  readonly store: PostgresSessionStore
  readonly dispatch: Dispatch
  readonly environment: Readonly<Record<string, string>>
  /** Starts `loader worker` on a machine, which says what it does on standard output. */
  worker(
    words?: readonly string[],
    machine?: string,
    options?: Pick<StartOptions, 'environment' | 'inside'>,
  ): Running & { readonly said: () => string }
  /** The folder in which a machine works on the project. */
  folderOn(machine: string): string
}

export async function fleetStage(
  server: Pick<Server, 'address'> & { readonly schema?: string },
  ...lines: readonly WireScriptLine[]
): Promise<FleetStage> {
  const one = await stageOf({ lines })
  const tenant = randomUUID()
  const { schema } = server
  const address = `${server.address}?tenant=${tenant}${schema === undefined ? '' : `&schema=${schema}`}`
  const store = new PostgresSessionStore(server.address, { tenant, ...(schema !== undefined && { schema }) })
  const environment = { LOADER_STORE: address }
  const workers: Running[] = []
  const folderOn = (machine: string) => {
    const folder = join(one.project, '..', machine, 'project')
    mkdirSync(folder, { recursive: true })
    return folder
  }
  return {
    one,
    address,
    store,
    dispatch: new Dispatch(store),
    environment,
    folderOn,
    worker(words = [], machine = 'machine-1', { environment: more, ...options } = {}) {
      const folder = folderOn(machine)
      const projects = join(folder, '..')
      const running = one.start(['worker', '--projects', projects, ...words], {
        environment: { ...environment, LOADER_STATE: join(projects, 'state'), HOME: projects, ...more },
        folder: projects,
        ...options,
      })
      workers.push(running)
      let said = ''
      running.process.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()))
      running.process.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()))
      return { ...running, said: () => said }
    },
    async [Symbol.asyncDispose]() {
      for (const { process: child } of workers) child.kill('SIGKILL')
      await Promise.all(workers.map(({ ended }) => ended))
      await store.close()
      await one[Symbol.asyncDispose]()
    },
  }
}
