import type { JsonObject } from '@loader/session-core'
import type { LanguageModelV4FilePart } from '@ai-sdk/provider'

interface KeptFile {
  readonly type: 'file' | 'image'
  readonly data?: string
  readonly image?: string
  readonly mediaType?: string
  readonly filename?: string
  readonly providerOptions?: Record<string, JsonObject>
}

export function promptFile(file: KeptFile): LanguageModelV4FilePart {
  const { data, image, mediaType = 'image', filename, providerOptions } = file
  return {
    type: 'file',
    data: fileData(data ?? image ?? ''),
    mediaType,
    ...(filename !== undefined && { filename }),
    ...(providerOptions && { providerOptions: { ...providerOptions } }),
  }
}

/** Data is a URL or base64, which never contains a colon. */
export function fileData(data: string): { type: 'url'; url: URL } | { type: 'data'; data: string } {
  return data.includes(':') && URL.canParse(data) ? { type: 'url', url: new URL(data) } : { type: 'data', data }
}
