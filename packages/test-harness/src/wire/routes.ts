import type { Dialect } from '../history-faults/rules.ts'

/** What a path asks for. */
export type Endpoint =
  | { readonly type: 'chat'; readonly dialect: Dialect }
  | { readonly type: 'count'; readonly dialect: 'anthropic' }
  | { readonly type: 'models'; readonly dialect: 'openai' | 'anthropic'; readonly model?: string }
  | { readonly type: 'tags' | 'show' | 'ps' | 'version' | 'alive'; readonly dialect: 'ollama' }
  | { readonly type: 'journal' }
  | { readonly type: 'stop' }
  | { readonly type: 'unknown' }

export interface Route {
  /** The script that the path begins with. */
  readonly script: string | undefined
  readonly endpoint: Endpoint
}

export function routeOf(
  method: string,
  pathname: string,
  names: readonly string[],
  asks: { readonly withVersion: boolean },
): Route {
  const script = names.find((name) => pathname === `/${name}` || pathname.startsWith(`/${name}/`))
  const path = script === undefined ? pathname : pathname.slice(script.length + 1)
  return { script, endpoint: endpointOf(`${method} ${path === '' ? '/' : path}`, asks.withVersion) }
}

const endpoints: Readonly<Partial<Record<string, Endpoint>>> = {
  'POST /v1/chat/completions': { type: 'chat', dialect: 'openai' },
  'POST /v1/messages': { type: 'chat', dialect: 'anthropic' },
  'POST /v1/messages/count_tokens': { type: 'count', dialect: 'anthropic' },
  'POST /api/chat': { type: 'chat', dialect: 'ollama' },
  'GET /api/tags': { type: 'tags', dialect: 'ollama' },
  'POST /api/show': { type: 'show', dialect: 'ollama' },
  'GET /api/ps': { type: 'ps', dialect: 'ollama' },
  'GET /api/version': { type: 'version', dialect: 'ollama' },
  'GET /': { type: 'alive', dialect: 'ollama' },
  'HEAD /': { type: 'alive', dialect: 'ollama' },
  'GET /__journal': { type: 'journal' },
  'POST /__stop': { type: 'stop' },
}

/** Two providers list their models at one path; one of them demands a header. */
function endpointOf(call: string, withVersion: boolean): Endpoint {
  const models = /^GET \/v1\/models(?:\/(.+))?$/.exec(call)
  if (!models) return endpoints[call] ?? { type: 'unknown' }
  const [, model] = models
  return {
    type: 'models',
    dialect: withVersion ? 'anthropic' : 'openai',
    ...(model !== undefined && { model: decodeURIComponent(model) }),
  }
}
