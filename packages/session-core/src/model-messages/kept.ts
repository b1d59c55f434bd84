import * as z from 'zod/mini'
import { JsonObject, JsonValue } from '../words/json.ts'
import type { AnswerPart, Part } from '../words/message.ts'
import { copyOf, type PlainJsonObject } from './plain-json.ts'
import { lazyObject } from '../words/schema.ts'

/** The API whose original form is kept, and the name under which the metadata of a part holds it. */
export type Keeper = 'openaiChat' | 'aiSdk'

/**
 * The fields of a message that have no place in ours: signatures, names, cache marks, additions of servers. Some
 * servers refuse a history without them, so they stay with the part and are sent back unchanged. `message` holds those
 * of the message that begins with the part.
 */
const Kept = /* @__PURE__ */ lazyObject(() => ({ part: z.optional(JsonObject), message: z.optional(JsonObject) }))

type Holder = Pick<Part, 'providerMetadata'>

/** The metadata of a new part, in addition to that of its provider. */
export function keep(keeper: Keeper, part: JsonObject | undefined, options?: JsonObject): Holder {
  const providerMetadata = { ...options, ...(part && { [keeper]: { part } }) }
  return Object.keys(providerMetadata).length === 0 ? {} : { providerMetadata }
}

/** The content of a message, with the additional fields of the message itself. */
export function keepForMessage(
  keeper: Keeper,
  message: JsonObject | undefined,
  content: readonly AnswerPart[],
): AnswerPart[] {
  if (message === undefined) return [...content]
  const [first = carrierOf(keeper), ...others] = content
  return [{ ...first, ...withMessage(keeper, message, first) }, ...others]
}

export function withMessage(keeper: Keeper, message: JsonObject | undefined, { providerMetadata }: Holder): Holder {
  if (message === undefined) return providerMetadata === undefined ? {} : { providerMetadata }
  const { part } = keptOf(keeper, { providerMetadata })
  return { providerMetadata: { ...providerMetadata, [keeper]: { ...(part && { part }), message } } }
}

export function keptForPart(keeper: Keeper, holder: Holder): PlainJsonObject {
  const { part } = keptOf(keeper, holder)
  return part === undefined ? {} : copyOf(part)
}

export function keptForMessage(keeper: Keeper, holders: readonly Holder[]): PlainJsonObject {
  for (const holder of holders) {
    const { message } = keptOf(keeper, holder)
    if (message !== undefined) return copyOf(message)
  }
  return {}
}

/** An empty message has no part that could carry metadata, so it gets one empty part. */
function carrierOf(keeper: Keeper): AnswerPart {
  return { type: 'reasoning', text: '', ...keep(keeper, { carrier: true }) }
}

export function isCarrier(keeper: Keeper, holder: Holder): boolean {
  return keptOf(keeper, holder).part?.['carrier'] === true
}

/** The fields that JSON can hold; undefined when there are none. */
export function fieldsOf(rest: Readonly<Record<string, unknown>>): JsonObject | undefined {
  const fields = Object.entries(rest).filter(([, value]) => value !== undefined && isKeepable(value))
  return fields.length === 0 ? undefined : JsonObject.parse(Object.fromEntries(fields))
}

/** The kept value is nested some levels down in the metadata, so its own depth is limited. */
function isKeepable(value: unknown): boolean {
  return JsonValue.safeParse([[[[[[value]]]]]]).success
}

/** Called several times per part, and most parts keep nothing: parsing is skipped when the key is absent. */
function keptOf(keeper: Keeper, { providerMetadata }: Holder): z.infer<typeof Kept> {
  const kept = providerMetadata?.[keeper]
  return kept === undefined ? nothing : (Kept.safeParse(kept).data ?? nothing)
}

const nothing: z.infer<typeof Kept> = {}
