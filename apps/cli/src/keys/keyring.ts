/** The keyring of the system. Machines without a desktop have none, which is normal. */
export interface Keyring {
  get(provider: string): Promise<string | undefined>
  set(provider: string, key: string): Promise<void>
  remove(provider: string): Promise<void>
}

/** Under this name the keys are shown in the system's own program for them. */
const service = 'loader'

/** A keyring may ask the user to unlock it. */
const patienceMs = 60_000

/** The keyring of this system; undefined if the package for it is not installed here. */
export async function systemKeyring(): Promise<Keyring | undefined> {
  const entryFor = await entries()
  return (
    entryFor && {
      async get(provider) {
        return (await entryFor(provider).getPassword(deadline())) ?? undefined
      },
      async set(provider, key) {
        await entryFor(provider).setPassword(key, deadline())
      },
      async remove(provider) {
        await entryFor(provider).deleteCredential(deadline())
      },
    }
  )
}

async function entries() {
  try {
    const { AsyncEntry } = await import('@napi-rs/keyring')
    return (provider: string) => new AsyncEntry(service, provider, { linux: { store: 'secret-service' } })
  } catch (error) {
    // The package is optional, and has no build for some systems.
    if (error instanceof Error) return undefined
    throw error
  }
}

function deadline(): AbortSignal {
  return AbortSignal.timeout(patienceMs)
}
