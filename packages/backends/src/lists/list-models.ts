import { knownProvider, knownProviders, type ProviderApi } from '../model/known-providers.ts'
import type { ModelFacts } from '../prices/model-facts.ts'
import { type AskOptions, asking, listPath, settingsOf } from './ask-provider.ts'
import { type ListedModel, modelsIn } from './listed-model.ts'

/** Which providers are asked for their models, and how. */
export interface ListModelsOptions extends AskOptions {
  /** The names of the providers to ask. Absent: all that are known and have a list. */
  readonly only?: readonly string[]
  /** What is published about a model, such as `modelFacts`; used where its provider says nothing. */
  readonly published?: (name: string) => Promise<ModelFacts>
}

/** A provider, with the models that it listed. */
export interface ListedProvider {
  readonly name: string
  /** The name for people. */
  readonly title: string
  /** `no_key`: it was not asked. `no_list`: its models cannot be listed. */
  readonly state: 'listed' | 'failed' | 'no_key' | 'no_list'
  /** Why it failed, and what to do about it. */
  readonly problem?: { readonly kind: string; readonly message: string }
  /** The newest first, where it tells; otherwise in its own order. */
  readonly models: readonly ListedModel[]
}

/** Servers of these kinds are found by `discover`, which knows more about them. */
const local: ReadonlySet<string> = new Set(['ollama', 'lmstudio', 'llamacpp', 'vllm'])

/** The models of the providers that have a key, asked in parallel. The failure of one is told beside the others. */
export async function listModels(options: ListModelsOptions = {}): Promise<readonly ListedProvider[]> {
  const { providers = {} } = options
  const usual = knownProviders.map(({ name }) => name).filter((name) => !local.has(name))
  const names = options.only ?? [...new Set([...Object.keys(providers), ...usual])]
  return Promise.all(names.map((name) => listOf(name, options)))
}

async function listOf(name: string, options: ListModelsOptions): Promise<ListedProvider> {
  const known = knownProvider(name)
  const head = { name, title: known?.title ?? name, models: [] }
  const api = settingsOf(name, options)?.api
  const path = api && listPath(name, api)
  try {
    if (api === undefined || path === undefined) return { ...head, state: 'no_list' }
    const { hasKey, ask } = await asking(name, options)
    if (!hasKey && needsKey(name, api)) return { ...head, state: 'no_key' }
    const asked = await ask(path)
    if (asked.state === 'failed') return { ...head, state: 'failed', problem: asked }
    const models = modelsIn(name, asked.answer)
    if (models === undefined) return { ...head, state: 'failed', problem: noList(name) }
    return { ...head, state: 'listed', models: await withFacts(newestFirst(models), options) }
  } catch (error) {
    // Keys may lie in a place that cannot be read.
    if (!(error instanceof Error) || !('code' in error)) throw error
    return { ...head, state: 'failed', problem: { kind: String(error.code), message: error.message } }
  }
}

function noList(name: string): { readonly kind: string; readonly message: string } {
  return { kind: 'other', message: `${name} answered with something that is no list of models. Check its address.` }
}

function needsKey(name: string, api: ProviderApi): boolean {
  return (knownProvider(name) ?? knownProvider(api))?.key === 'required'
}

function newestFirst(models: readonly ListedModel[]): readonly ListedModel[] {
  return models.toSorted((one, other) => (other.createdAt ?? 0) - (one.createdAt ?? 0))
}

async function withFacts(
  models: readonly ListedModel[],
  { published }: ListModelsOptions,
): Promise<readonly ListedModel[]> {
  if (published === undefined) return models
  return Promise.all(models.map(async (model) => ({ ...(await published(model.name)), ...model })))
}
