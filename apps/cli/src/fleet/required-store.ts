import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'
import type { Console } from '../console/console.ts'
import { placesOf } from '../places/places.ts'
import { storeAddress } from '../sessions/asked-store.ts'
import type { StoreAddress } from '../settings/store-address.ts'

/** The database that the workers share. Sessions in files have no workers. */
export async function requiredStore(given: Given, console: Console): Promise<StoreAddress> {
  const address = await storeAddress({ given, console, places: placesOf(given, console) })
  if (address !== undefined) return address
  const { name } = given.command
  const here = name === 'run' ? ' To do the task here and now: loader -p "what to do"' : ''
  throw new UsageError(
    `loader ${name} is about sessions in a database, which workers share: --store postgres://user@host/database.${here}`,
    name,
  )
}
