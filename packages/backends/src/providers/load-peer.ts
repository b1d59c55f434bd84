import { LoaderError } from '@loader/session-core'

/**
 * A package that is only there if the user wants it. It is loaded when a model is used, not before: importing one of
 * them takes longer than starting the program.
 */
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

/** Whether it is the package itself that is missing, and not something that it needs. */
function isMissing(error: unknown, name: string): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  const missing = error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND'
  return missing && error.message.includes(`'${name}'`)
}
