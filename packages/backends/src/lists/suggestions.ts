import { discover } from '../discover/discover.ts'
import type { ModelName } from '../model/model-name.ts'
import type { AskOptions } from './ask-provider.ts'
import { listModels } from './list-models.ts'
import { nearest } from './nearest.ts'

/** What to do about a model that its provider does not know: the names that are most like it. */
export async function suggestions({ provider, model }: ModelName, options: AskOptions): Promise<string> {
  const name = `${provider}/${model}`
  const names = await namesOf(provider, options)
  if (names.includes(name)) return `It is in the list of ${provider}: check the address, and what the key may use.`
  const near = nearest(name, names)
  if (near.length > 0) return `Similar names: ${near.join(', ')}`
  return names.length === 0 ? `See which models ${provider} has.` : `${provider} has: ${some(names)}`
}

function some(names: readonly string[]): string {
  const [first, ...rest] = [names.slice(0, 5).join(', '), ...names.slice(5)]
  return rest.length === 0 ? first : `${first}, and ${rest.length} more`
}

async function namesOf(provider: string, options: AskOptions): Promise<readonly string[]> {
  const [listed] = await listModels({ ...options, only: [provider] })
  if (listed?.state === 'listed') return listed.models.map(({ name }) => name)
  const servers = await discover({
    ...(options.variables && { variables: options.variables }),
    ...(options.fetch && { fetch: options.fetch }),
  })
  return servers.filter(({ kind }) => kind === provider).flatMap(({ models }) => models.map(({ name }) => name))
}
