import type pg from 'pg'
import { schemaVersion } from '../../src/schema/migrations.ts'
import type { Machine } from './machine.ts'
import { type Answer, ServerError, type Tables } from './tables.ts'
import type { World } from './world.ts'

/** What becomes of what is sent. */
interface Weather {
  /** How likely it is that something goes wrong with a statement. */
  faults: number
  readonly leaseMs: number
}

/** How a store that is wrong changes what it asks and hears. */
export type Mishearing = (
  query: { readonly name: string; readonly values: readonly unknown[] },
  send: (values: readonly unknown[]) => Promise<Answer>,
) => Promise<Answer>

interface Query {
  readonly name?: string
  readonly text: string
  readonly values?: readonly unknown[]
}

/**
 * A pool of connections of a machine to the simulated database. A statement can be lost on its way, arrive after who sent
 * it has given up, or be carried out while the answer is lost; the connection then breaks, or nothing is heard of it.
 */
export function poolOf(
  world: World,
  machine: Machine,
  tables: Tables,
  weather: Weather,
  mishearing: Mishearing = ({ values }, send) => send(values),
): pg.Pool {
  const { chance } = world
  const isOut = () => machine.cutOffUntil > world.now
  const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  const hear = <Heard>(ms: number, value: Heard, tell: (value: Heard) => void) => machine.after(ms, () => tell(value))

  function send(name: string, values: readonly unknown[]): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const fate = !chance.is(weather.faults)
        ? 'fine'
        : chance.oneOf(['lost', 'answer lost', 'answer lost', 'late', 'late'] as const)
      const breaks = chance.is(0.5)
      const broken = new Error('Connection terminated unexpectedly')
      const longest = chance.oneOf([60, weather.leaseMs * 2.5])
      const way = fate === 'late' ? chance.between(5, longest) : chance.between(0.2, 8)
      world.see(fate)
      if (fate !== 'fine' && breaks) hear(chance.between(1, 40), broken, reject)
      if (fate === 'lost') return
      world.after(way, () => {
        if (isOut()) return
        tables.ask({ name, values, theirNow: machine.time.now }, (answer) => {
          if (fate !== 'fine' || isOut()) return
          if (answer instanceof ServerError) hear(chance.between(0.2, 8), answer, reject)
          else hear(chance.between(0.2, 8), answer, resolve)
        })
      })
    })
  }

  const client = {
    on: () => client,
    off: () => client,
    release: () => {},
    query: async (query: Query | string): Promise<Answer> => {
      if (typeof query === 'string') return { rows: [], rowCount: 0 }
      if (query.name === undefined) return aboutSchema(query.text)
      const name = /^loader_(.*)_[0-9a-f]{16}$/.exec(query.name)?.[1]
      if (name === undefined) throw new Error(`The simulated database does not know ${query.name}.`)
      world.see(name)
      return mishearing({ name, values: query.values ?? [] }, (values) => send(name, values))
    },
  }
  const connect = () => (isOut() ? new Promise((_, reject) => hear(1, refused(), reject)) : Promise.resolve(client))
  return { connect, ending: false } as unknown as pg.Pool
}

/** The schema is there, and as it has to be. */
function aboutSchema(text: string): Answer {
  if (text.includes('max(version)')) {
    return { rows: [{ version: schemaVersion, encoding: 'UTF8', commit: 'on' }], rowCount: 1 }
  }
  throw new Error(`The simulated database does not know ${text}`)
}
