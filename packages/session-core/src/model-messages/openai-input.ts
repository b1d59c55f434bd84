import * as z from 'zod'
import { contentInput } from './content-input.ts'
import { lazyLooseObject } from '../words/schema.ts'

const text = /* @__PURE__ */ lazyLooseObject(() => ({ type: z.literal('text'), text: z.string() }))
const refusal = /* @__PURE__ */ lazyLooseObject(() => ({ type: z.literal('refusal'), refusal: z.string() }))

export const OpenAIImageInput = /* @__PURE__ */ lazyLooseObject(() => ({
  type: z.literal('image_url'),
  image_url: z.looseObject({ url: z.string().min(1) }),
}))

export const OpenAIAudioInput = /* @__PURE__ */ lazyLooseObject(() => ({
  type: z.literal('input_audio'),
  input_audio: z.looseObject({ data: z.string(), format: z.enum(['wav', 'mp3']) }),
}))

export const OpenAIFileInput = /* @__PURE__ */ lazyLooseObject(() => ({
  type: z.literal('file'),
  file: z.looseObject({
    file_data: z.string().optional(),
    file_id: z.string().optional(),
    filename: z.string().optional(),
  }),
}))

const functionOf = /* @__PURE__ */ lazyLooseObject(() => ({ name: z.string().min(1), arguments: z.string() }))

export const OpenAICallInput = /* @__PURE__ */ z.lazy(() =>
  z.discriminatedUnion('type', [
    z.looseObject({ id: z.string(), type: z.literal('function'), function: functionOf }),
    z.looseObject({
      id: z.string(),
      type: z.literal('custom'),
      custom: z.looseObject({ name: z.string().min(1), input: z.string() }),
    }),
  ]),
)

/** A message as the API takes or gives it. Compatible servers add fields of their own. */
export const OpenAIInput = /* @__PURE__ */ z.lazy(() =>
  z.discriminatedUnion('role', [
    z.looseObject({ role: z.literal('system'), content: contentInput(text) }),
    z.looseObject({ role: z.literal('developer'), content: contentInput(text) }),
    z.looseObject({
      role: z.literal('user'),
      content: contentInput(z.discriminatedUnion('type', [text, OpenAIImageInput, OpenAIAudioInput, OpenAIFileInput])),
    }),
    z.looseObject({
      role: z.literal('assistant'),
      content: contentInput(z.discriminatedUnion('type', [text, refusal])).nullish(),
      refusal: z.string().nullish(),
      tool_calls: z.array(OpenAICallInput).nullish(),
      function_call: functionOf.nullish(),
    }),
    z.looseObject({ role: z.literal('tool'), tool_call_id: z.string(), content: contentInput(text) }),
    z.looseObject({ role: z.literal('function'), name: z.string().min(1), content: contentInput(text).nullable() }),
  ]),
)
export type OpenAIInput = z.infer<typeof OpenAIInput>
