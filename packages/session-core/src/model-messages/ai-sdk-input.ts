import * as z from 'zod/mini'
import { isJsonObject, JsonObject, JsonValue } from '../words/json.ts'
import { AiSdkData, plainData } from './ai-sdk-data.ts'
import { contentInput } from './content-input.ts'
import { jsonOf } from './plain-json.ts'
import { lazyObject, looseObject, nonEmpty, object } from '../words/schema.ts'

const providerOptions = /* @__PURE__ */ z.optional(
  /* @__PURE__ */ JsonObject.check(
    /* @__PURE__ */ z.refine(
      (options) => Object.values(options).every(isJsonObject),
      'must be a JSON object for each provider',
    ),
  ),
)

/** Tools accept and return dates and the like; models see them as JSON. */
const json = /* @__PURE__ */ z.lazy(() => jsonOr(null))
const input = /* @__PURE__ */ z.lazy(() => jsonOr({}))

const mediaType = nonEmpty
const filename = /* @__PURE__ */ z.optional(/* @__PURE__ */ z.string())

const text = /* @__PURE__ */ lazyObject(() => ({ type: z.literal('text'), text: z.string(), providerOptions }))
const reasoning = /* @__PURE__ */ lazyObject(() => ({
  type: z.literal('reasoning'),
  text: z.string(),
  providerOptions,
}))
const image = /* @__PURE__ */ lazyObject(() => ({
  type: z.literal('image'),
  image: AiSdkData,
  mediaType: z.optional(mediaType),
  providerOptions,
}))
const file = /* @__PURE__ */ lazyObject(() => ({
  type: z.literal('file'),
  data: AiSdkData,
  mediaType,
  filename,
  providerOptions,
}))
const call = /* @__PURE__ */ lazyObject(() => ({
  type: z.literal('tool-call'),
  toolCallId: z.string(),
  toolName: nonEmpty,
  input,
  providerExecuted: z.optional(z.boolean()),
  providerOptions,
}))

/** A file in a result has another name in every version. */
const dataItem = /* @__PURE__ */ lazyObject(() => ({
  type: z.enum(['media', 'file-data', 'image-data']),
  data: z.string(),
  mediaType,
  filename,
  providerOptions,
}))
const urlItem = /* @__PURE__ */ lazyObject(() => ({
  type: z.enum(['file-url', 'image-url']),
  url: nonEmpty,
  mediaType: z.optional(mediaType),
  filename,
  providerOptions,
}))
const fileItem = /* @__PURE__ */ z.lazy(() =>
  z.pipe(
    file,
    z.transform(({ type, data, ...rest }) => {
      if (data.kind === 'base64') return { ...rest, type: 'file-data' as const, data: data.data }
      if (data.kind === 'url') return { ...rest, type: 'file-url' as const, url: data.url }
      return { ...rest, type, data: data.reference }
    }),
  ),
)
const foreignItem = /* @__PURE__ */ z.lazy(() =>
  looseJson({ type: z.enum(['file-id', 'file-reference', 'image-file-id', 'image-file-reference', 'custom']) }),
)

const output = /* @__PURE__ */ z.lazy(() =>
  z.discriminatedUnion('type', [
    object({ type: z.enum(['text', 'error-text']), value: z.string(), providerOptions }),
    object({ type: z.enum(['json', 'error-json']), value: json, providerOptions }),
    object({ type: z.literal('execution-denied'), reason: z.optional(z.string()), providerOptions }),
    object({
      type: z.literal('content'),
      value: z.array(z.discriminatedUnion('type', [text, dataItem, urlItem, fileItem, foreignItem])),
      providerOptions,
    }),
  ]),
)

const result = /* @__PURE__ */ lazyObject(() => ({
  type: z.literal('tool-result'),
  toolCallId: z.string(),
  toolName: z.string(),
  output,
  providerExecuted: z.optional(z.boolean()),
  providerOptions,
}))

/** Parts that only some versions and providers understand. They are kept as they are. */
const foreignPart = /* @__PURE__ */ z.lazy(() => looseJson({ type: z.enum(['custom', 'tool-approval-request']) }))
const reasoningFile = /* @__PURE__ */ z.lazy(() =>
  z.pipe(
    object({ type: z.literal('reasoning-file'), data: AiSdkData, mediaType, providerOptions }),
    z.transform(({ data, ...rest }) => ({ ...rest, data: plainData(data) })),
  ),
)
const approval = /* @__PURE__ */ z.lazy(() =>
  looseJson({ type: z.literal('tool-approval-response'), approvalId: z.string() }),
)

/** A `ModelMessage` of the AI SDK, of version 5 to 7. */
export const AiSdkInput = /* @__PURE__ */ z.lazy(() =>
  z.discriminatedUnion('role', [
    object({ role: z.literal('system'), content: z.string(), providerOptions }),
    object({
      role: z.literal('user'),
      content: contentInput(z.discriminatedUnion('type', [text, image, file])),
      providerOptions,
    }),
    object({
      role: z.literal('assistant'),
      content: contentInput(
        z.discriminatedUnion('type', [text, reasoning, file, call, result, foreignPart, reasoningFile]),
      ),
      providerOptions,
    }),
    object({
      role: z.literal('tool'),
      content: z.array(z.discriminatedUnion('type', [result, approval])),
      providerOptions,
    }),
  ]),
)

export type AiSdkInput = z.infer<typeof AiSdkInput>
export type AiSdkFileInput = z.infer<typeof image | typeof file>
export type AiSdkOutputInput = z.infer<typeof output>
export type AiSdkResultInput = z.infer<typeof result>

function jsonOr(absent: JsonValue) {
  return z.pipe(
    z.transform((value) => (value === undefined ? absent : jsonOf(value))),
    JsonValue,
  )
}

/** An object whose other fields are kept too, if they are JSON. */
function looseJson<Shape extends z.core.$ZodLooseShape>(fields: Shape) {
  return looseObject(fields).check(z.refine((value) => JsonObject.safeParse(value).success, 'must be JSON'))
}
