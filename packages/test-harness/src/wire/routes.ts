import type { Dialect } from '../history-faults/rules.ts'
import type { WireTarget } from './protocol.ts'

/** The purpose of a path. */
export type Endpoint =
  | { readonly type: 'chat'; readonly dialect: Dialect; readonly target?: WireTarget }
  | { readonly type: 'count'; readonly dialect: 'anthropic' | 'gemini' }
  | { readonly type: 'models'; readonly dialect: 'openai' | 'anthropic' | 'gemini'; readonly model?: string }
  | { readonly type: 'tags' | 'show' | 'ps' | 'version' | 'alive'; readonly dialect: 'ollama' }
  | { readonly type: 'journal' }
  | { readonly type: 'stop' }
  | { readonly type: 'unknown' }

export interface Route {
  /** The name of a script at the start of the path. */
  readonly script: string | undefined
  readonly endpoint: Endpoint
}

/** The provider that the headers show. */
interface Asks {
  readonly anthropic: boolean
  readonly google: boolean
}

export function routeOf(method: string, pathname: string, names: readonly string[], asks: Asks): Route {
  const script = names.find((name) => pathname === `/${name}` || pathname.startsWith(`/${name}/`))
  const path = script === undefined ? pathname : pathname.slice(script.length + 1)
  return { script, endpoint: endpointOf(`${method} ${path === '' ? '/' : path}`, asks) }
}

const endpoints: Readonly<Partial<Record<string, Endpoint>>> = {
  'POST /v1/chat/completions': { type: 'chat', dialect: 'openai' },
  'POST /v1/responses': { type: 'chat', dialect: 'responses' },
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

/** Three providers list their models at the same path; two of them are recognised by a header. */
function endpointOf(call: string, { anthropic, google }: Asks): Endpoint {
  const models = /^GET \/v1\/models(?:\/(.+))?$/.exec(call)
  if (!models || google) return endpoints[call] ?? geminiEndpoint(call)
  const [, model] = models
  return {
    type: 'models',
    dialect: anthropic ? 'anthropic' : 'openai',
    ...(model !== undefined && { model: decodeURIComponent(model) }),
  }
}

/** Gemini's path contains the model, followed by the action. */
function geminiEndpoint(call: string): Endpoint {
  const [, method, path, verb] = /^(GET|POST) \/v1(?:alpha|beta)?\/models(?:\/([^:]+))?(?::(\w+))?$/.exec(call) ?? []
  const model = path === undefined ? undefined : decodeURIComponent(path)
  if (method === 'GET' && verb === undefined)
    return { type: 'models', dialect: 'gemini', ...(model !== undefined && { model }) }
  if (method !== 'POST' || model === undefined) return { type: 'unknown' }
  switch (verb) {
    case 'generateContent':
      return { type: 'chat', dialect: 'gemini', target: { model, answer: 'whole' } }
    case 'streamGenerateContent':
      return { type: 'chat', dialect: 'gemini', target: { model, answer: 'stream' } }
    case 'countTokens':
      return { type: 'count', dialect: 'gemini' }
    default:
      return { type: 'unknown' }
  }
}
