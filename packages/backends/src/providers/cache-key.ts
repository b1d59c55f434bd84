import type { JsonObject, ModelRequest } from '@loader/session-core'

/** Its regions as well, such as eu.api.openai.com. */
const openAI = /^https:\/\/([a-z]+\.)?api\.openai\.com([/:]|$)/i

/**
 * What tells OpenAI that requests belong together, so that it sends them to a server that has read their beginning:
 * `prompt_cache_key`, of at most 64 characters. The name of the session is hashed, because it is none of the provider's
 * business. Servers with the same interface may refuse a field that they do not know, so only OpenAI's own gets it.
 */
export function cacheKey({ sessionId }: ModelRequest, baseUrl: string): JsonObject {
  if (sessionId === undefined || !openAI.test(baseUrl)) return {}
  // Loaded when it is needed: it is a fifth of what importing this package takes.
  const { createHash } = process.getBuiltinModule('node:crypto')
  return { promptCacheKey: createHash('sha256').update(sessionId).digest('hex').slice(0, 32) }
}
