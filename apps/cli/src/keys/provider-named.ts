import { knownProviders } from '@loader/backends'
import { closest } from '../arguments/closest.ts'
import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'
import type { Settings } from '../settings/settings.ts'

/** A provider whose key can be kept. */
export interface NamedProvider {
  readonly name: string
  readonly title: string
  /** The variables that hold its key; the first one that is set goes before a key that is kept. */
  readonly keyVariables: readonly string[]
  readonly keyPage: string | undefined
}

/** The provider that the command line names. A key in its place is refused without being shown. */
export function providerNamed({ words, command }: Given, { providers = {} }: Settings): NamedProvider {
  const [name = '', ...more] = words
  if (more.length > 0 || !/^[\w.-]{1,32}$/.test(name)) throw noArgument(command.name)
  const own = Object.hasOwn(providers, name) ? providers[name] : undefined
  const known = knownProviders.find((one) => one.name === name)
  if (own === undefined && known === undefined) throw unknown(name, Object.keys(providers), command.name)
  const usual = known?.keyVariables ?? [`${name.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}_API_KEY`]
  return {
    name,
    title: known?.title ?? name,
    keyVariables: own?.apiKeyVariable === undefined ? usual : [own.apiKeyVariable],
    keyPage: own === undefined ? known?.keyPage : undefined,
  }
}

function noArgument(command: string): UsageError {
  return new UsageError(
    `loader ${command} takes the name of one provider, and no key: other users of this machine can read the command ` +
      `line, and your shell keeps it. The key is asked for, or read from standard input.`,
    command,
  )
}

function unknown(name: string, own: readonly string[], command: string): UsageError {
  const names = [...new Set([...knownProviders.map((one) => one.name), ...own])]
  const near = closest(name, names)
  const hint = near === undefined ? '' : ` Did you mean ${near}?`
  return new UsageError(`There is no provider ${JSON.stringify(name)}.${hint} Known are ${names.join(', ')}.`, command)
}
