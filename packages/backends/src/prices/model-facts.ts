import { parseModelName } from '../model/model-name.ts'

/** What is published about a model. */
export interface ModelFacts {
  /** In tokens. */
  readonly contextWindow?: number
}

/**
 * What the bundled list of prices knows about a model, such as `anthropic/claude-opus-5`. Loading the list takes some
 * milliseconds, so this does not belong on the way to a first request.
 */
export async function modelFacts(name: string, { baseUrl }: { readonly baseUrl?: string } = {}): Promise<ModelFacts> {
  const { listedWindow } = await import('./price-list.ts')
  const contextWindow = listedWindow({ ...parseModelName(name), baseUrl })
  return contextWindow === undefined ? {} : { contextWindow }
}
