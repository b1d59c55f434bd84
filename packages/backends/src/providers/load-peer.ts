import { LoaderError } from '@loader/session-core'

/** Loads an optional package. Not before a model is used: importing one takes longer than starting the program. */
export async function loadPeer<Module>(name: string, load: () => Promise<Module>, neededFor: string): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    if (!isMissing(error, name)) throw error
    throw new LoaderError(
      'unsupported',
      `The model ${neededFor} needs the package ${name}, which is not installed. Run: npm install ${name}`,
      { cause: error },
    )
  }
}

/** Whether the package itself is missing, and not one of its dependencies. */
function isMissing(error: unknown, name: string): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  const missing = error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND'
  return missing && error.message.includes(`'${name}'`)
}
