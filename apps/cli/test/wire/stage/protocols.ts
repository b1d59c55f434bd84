import { anthropic, google, ollama, openai, openaiCompatible } from '@loader/backends'
import type { Backend } from '@loader/session-core'
import * as z from 'zod'

export const Protocol = z.enum(['openai-compatible', 'openai', 'responses', 'anthropic', 'google', 'ollama'])
export type Protocol = z.infer<typeof Protocol>

export const protocols = Protocol.options

/** The name that scripts give to their only model. */
const scripted = 'scripted'

/**
 * A model behind the server, spoken to in one of its ways. Where thinking has to be asked for, it is, but not of a model
 * with a name of its own.
 */
export function backendTo(protocol: Protocol, url: string, model = scripted): Backend {
  if (model !== scripted && protocol === 'anthropic')
    return anthropic({ model, apiKey: 'sk-scripted', variables: {}, baseUrl: url })
  const connection = { model, apiKey: 'sk-scripted', variables: {} }
  switch (protocol) {
    case 'openai-compatible':
      return openaiCompatible({ ...connection, baseUrl: `${url}/v1` })
    case 'openai':
      return openai({ ...connection, baseUrl: `${url}/v1`, api: 'chat' })
    case 'responses':
      return openai({ ...connection, baseUrl: `${url}/v1`, providerOptions: { openai: { forceReasoning: true } } })
    case 'google':
      return google({ ...connection, baseUrl: url })
    case 'anthropic':
      return anthropic({ ...connection, baseUrl: url, providerOptions: { anthropic: { thinking } } })
    case 'ollama':
      return ollama({ ...connection, baseUrl: url, think: true })
    default:
      return protocol satisfies never
  }
}

const thinking = { type: 'enabled', budgetTokens: 1024 }
