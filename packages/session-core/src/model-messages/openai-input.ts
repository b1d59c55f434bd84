import * as z from 'zod/mini'
import { contentInput } from './content-input.ts'
import { lazyLooseObject, looseObject, nonEmpty } from '../words/schema.ts'

const text = /* @__PURE__ */ lazyLooseObject(() => ({ type: z.literal('text'), text: z.string() }))
const refusal = /* @__PURE__ */ lazyLooseObject(() => ({ type: z.literal('refusal'), refusal: z.string() }))

export const OpenAIImageInput = /* @__PURE__ */ lazyLooseObject(() => ({
  type: z.literal('image_url'),
  image_url: looseObject({ url: nonEmpty }),
}))

export const OpenAIAudioInput = /* @__PURE__ */ lazyLooseObject(() => ({
  type: z.literal('input_audio'),
  input_audio: looseObject({ data: z.string(), format: z.enum(['wav', 'mp3']) }),
}))

export const OpenAIFileInput = /* @__PURE__ */ lazyLooseObject(() => ({
  type: z.literal('file'),
  file: looseObject({
    file_data: z.optional(z.string()),
    file_id: z.optional(z.string()),
    filename: z.optional(z.string()),
  }),
}))

const functionOf = /* @__PURE__ */ lazyLooseObject(() => ({ name: nonEmpty, arguments: z.string() }))

export const OpenAICallInput = /* @__PURE__ */ z.lazy(() =>
  z.discriminatedUnion('type', [
    looseObject({ id: z.string(), type: z.literal('function'), function: functionOf }),
    looseObject({
      id: z.string(),
      type: z.literal('custom'),
      custom: looseObject({ name: nonEmpty, input: z.string() }),
    }),
  ]),
)

/** A message as the API takes or gives it. Compatible servers add fields of their own. */
export const OpenAIInput = /* @__PURE__ */ z.lazy(() =>
  z.discriminatedUnion('role', [
    looseObject({ role: z.literal('system'), content: contentInput(text) }),
    looseObject({ role: z.literal('developer'), content: contentInput(text) }),
    looseObject({
      role: z.literal('user'),
      content: contentInput(z.discriminatedUnion('type', [text, OpenAIImageInput, OpenAIAudioInput, OpenAIFileInput])),
    }),
    looseObject({
      role: z.literal('assistant'),
      content: z.nullish(contentInput(z.discriminatedUnion('type', [text, refusal]))),
      refusal: z.nullish(z.string()),
      tool_calls: z.nullish(z.array(OpenAICallInput)),
      function_call: z.nullish(functionOf),
    }),
    looseObject({ role: z.literal('tool'), tool_call_id: z.string(), content: contentInput(text) }),
    looseObject({ role: z.literal('function'), name: nonEmpty, content: z.nullable(contentInput(text)) }),
  ]),
)
export type OpenAIInput = z.infer<typeof OpenAIInput>
