import * as z from 'zod/mini'
import { lazy } from '../platform/lazy.ts'
import type { ServerKind } from './served-model.ts'

const Models = lazy(() =>
  z.looseObject({
    data: z.array(z.looseObject({ id: z.string(), max_model_len: z.int().check(z.gte(1)) })),
  }),
)

export const vllmServer: ServerKind = {
  name: 'vllm',
  title: 'vLLM',
  port: 8000,
  path: '/v1',
  remedy: 'start it with --max-model-len 32768',
  async list(origin, ask, only) {
    const { data: models } = Models().safeParse(await ask(`${origin}/v1/models`))
    return models?.data
      .filter(({ id }) => only === undefined || id === only)
      .map(({ id, max_model_len: contextWindow }) => ({ id, loaded: true, contextWindow }))
  },
}
