import { LoaderError } from '@loader/session-core'
import type { Variables } from '../platform/variables.ts'

const usualPort = 11434

/** The address of Ollama: `OLLAMA_HOST` may lack a scheme or a port, or be a listening address such as 0.0.0.0. */
export function ollamaOrigin(variables: Variables, baseUrl: string | undefined = variables['OLLAMA_HOST']): string {
  const text = baseUrl?.trim()
  if (!text) return `http://127.0.0.1:${usualPort}`
  const address = /^[a-z]+:\/\//i.test(text) ? text : `http://${text.startsWith(':') ? '127.0.0.1' : ''}${text}`
  if (!URL.canParse(address)) {
    throw new LoaderError(
      'invalid_config',
      `${JSON.stringify(text)} is not the address of an Ollama server. Check OLLAMA_HOST.`,
    )
  }
  const url = new URL(address)
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1'
  if (url.hostname === '[::]') url.hostname = '[::1]'
  const namesPort = url.port !== '' || /:\d+(\/|$)/.test(address.replace(/^[a-z]+:\/\//i, ''))
  if (!namesPort && url.protocol === 'http:') url.port = String(usualPort)
  return url.href.replace(/\/+$/, '')
}
