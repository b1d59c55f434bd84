import * as z from 'zod/mini'
import { lazy } from '../platform/lazy.ts'
import { type ServerKind, tokens } from './served-model.ts'

const Models = lazy(() =>
  z.looseObject({
    data: z.array(
      z.looseObject({
        id: z.string(),
        type: z.optional(z.string()),
        state: z.optional(z.string()),
        max_context_length: tokens(),
        loaded_context_length: tokens(),
        capabilities: z.optional(z.array(z.string())),
      }),
    ),
  }),
)

const chat = new Set([undefined, 'llm', 'vlm'])

export const lmStudioServer: ServerKind = {
  name: 'lmstudio',
  title: 'LM Studio',
  port: 1234,
  path: '/v1',
  remedy: 'load the model with a larger one, such as: lms load MODEL --context-length 32768',
  async list(origin, ask, only) {
    const { data: models } = Models().safeParse(await ask(`${origin}/api/v0/models`))
    return models?.data
      .filter(({ id, type }) => chat.has(type) && (only === undefined || id === only))
      .map(({ id, type, state, max_context_length: largest, loaded_context_length: loaded, capabilities }) => ({
        id,
        loaded: state === 'loaded',
        ...(loaded !== undefined && { contextWindow: loaded }),
        ...(largest !== undefined && { largestWindow: largest }),
        ...(type !== undefined && { images: type === 'vlm' }),
        ...(capabilities && { nativeTools: capabilities.includes('tool_use') }),
      }))
  },
}
