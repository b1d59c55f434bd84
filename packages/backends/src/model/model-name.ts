import { LoaderError } from '@loader/session-core'

/** A model name such as `ollama/qwen3:8b`, in its two parts. */
export interface ModelName {
  readonly provider: string
  /** May contain slashes itself, as in `openrouter/qwen/qwen3`. */
  readonly model: string
}

/** `provider/id`, split at the first slash. */
export function parseModelName(name: string): ModelName {
  const slash = name.indexOf('/')
  const [provider, model] = [name.slice(0, slash), name.slice(slash + 1)]
  if (slash > 0 && model !== '') return { provider, model }
  throw new LoaderError(
    'invalid_config',
    `${JSON.stringify(name)} does not name a model. Write provider/id, such as ollama/qwen3:8b.`,
  )
}
