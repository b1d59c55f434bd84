import type { Program } from '../arguments/command.ts'
import { Given } from '../arguments/given.ts'
import { givenForMain } from '../fleet/given-for-main.ts'
import type { Acting } from '@loader/web/server'
import { actingFor } from './acting/acts.ts'
import { Runners } from './acting/runners.ts'
import { isTrusted } from '../settings/trust.ts'
import { located, type ServedFrom } from './sessions/located.ts'
import { Standings } from './standing/standings.ts'

/** What a server of the page needs besides the sessions. */
export interface OpenDesk extends AsyncDisposable {
  readonly standings: Standings
  readonly acting: Acting
  readonly hasWorkers: boolean
}

/** The place from which the page acts: the agents of this process, and the line of the workers, if there are any. */
export async function openDesk(served: ServedFrom, report: (error: unknown) => void): Promise<OpenDesk> {
  const { address } = served
  const runners = new Runners(served, report)
  const line = address && new (await import('./acting/fleet-line.ts')).FleetLine(address, served)
  const { config } = served.places
  // The folder in which a worker goes on, and whether it is trusted there, is not known in this process.
  const standings = new Standings(runners, line, (root) => line !== undefined || isTrusted(config, root))
  return {
    standings,
    acting: actingFor({ served, find: (id) => located(id, served), runners, standings, line }),
    hasWorkers: line !== undefined,
    async [Symbol.asyncDispose]() {
      await runners.close()
      await line?.close()
    },
  }
}

/** The options of the server that a run has too. Each session has the folder of its project. */
export function givenForRuns(given: Given, { main }: Program): Given {
  const options = givenForMain(given, main)
  const names = main.options.filter(({ name }) => name !== 'cd' && options.has(name))
  return new Given(
    main,
    [],
    new Map(names.map(({ name, value }) => [name, value === undefined ? [true] : options.values(name)])),
  )
}
