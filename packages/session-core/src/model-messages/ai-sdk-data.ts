import * as z from 'zod/mini'
import { isJsonObject, type JsonObject, type JsonValue } from '../words/json.ts'
import { base64Of } from './base64.ts'
import { parseDataUrl } from './data-url.ts'
import { object } from '../words/schema.ts'

/** Where the content of a file is: at a URL, inline as bytes, or with a provider, whose reference is kept unchanged. */
export type AiSdkData =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'base64'; readonly data: string; readonly mediaType?: string }
  | { readonly kind: 'elsewhere'; readonly reference: JsonObject }

/** In memory it may be bytes or a URL object; a string may be base64, a URL or a data URL. */
export const AiSdkData = /* @__PURE__ */ z.lazy(() =>
  z.pipe(
    z.transform(readData),
    z.custom<AiSdkData>((data) => data !== undefined, 'must be base64, bytes, a URL or a reference to a file'),
  ),
)

/** The same in JSON. */
export function plainData(data: AiSdkData): JsonValue {
  if (data.kind === 'elsewhere') return data.reference
  return data.kind === 'url' ? data.url : data.data
}

const Reference = /* @__PURE__ */ z.lazy(() =>
  z.union([
    object({ type: z.literal('reference'), reference: z.record(z.string(), z.string()) }),
    object({ type: z.literal('text'), text: z.string() }),
    z.record(z.string(), z.string()),
  ]),
)

function readData(value: unknown): AiSdkData | undefined {
  const content =
    isJsonObject(value) && (value['type'] === 'data' || value['type'] === 'url') ? value[value['type']] : value
  if (typeof content === 'string') return readString(content)
  if (content instanceof Uint8Array) return { kind: 'base64', data: base64Of(content) }
  if (content instanceof ArrayBuffer) return { kind: 'base64', data: base64Of(new Uint8Array(content)) }
  if (isUrl(content)) return readString(content.href)
  const reference = Reference.safeParse(content).data
  return reference && { kind: 'elsewhere', reference }
}

function readString(text: string): AiSdkData {
  const inline = parseDataUrl(text)
  if (inline) return { kind: 'base64', ...inline }
  return text.includes(':') ? { kind: 'url', url: text } : { kind: 'base64', data: text }
}

/** Checked by shape, because not every platform has the class. */
function isUrl(value: unknown): value is { readonly href: string } {
  return typeof value === 'object' && value !== null && 'href' in value && typeof value.href === 'string'
}
