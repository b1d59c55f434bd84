import * as z from 'zod/mini'
import { lazy } from '../platform/lazy.ts'
import { type ServerKind, tokens } from './served-model.ts'

const Props = lazy(() =>
  z.looseObject({
    default_generation_settings: z.optional(z.looseObject({ n_ctx: tokens() })),
    chat_template_caps: z.optional(z.looseObject({ supports_tools: z.optional(z.boolean()) })),
    chat_template: z.optional(z.string()),
    modalities: z.optional(z.looseObject({ vision: z.optional(z.boolean()) })),
  }),
)

const Models = lazy(() =>
  z.looseObject({
    data: z.array(
      z.looseObject({
        id: z.string(),
        meta: z.nullish(z.looseObject({ n_ctx: tokens(), n_ctx_train: tokens() })),
      }),
    ),
  }),
)

export const llamaCppServer: ServerKind = {
  name: 'llamacpp',
  title: 'llama.cpp',
  port: 8080,
  path: '/v1',
  remedy: 'start llama-server with -c 32768',
  async list(origin, ask, only) {
    const [props, listed] = await Promise.all([ask(`${origin}/props`), ask(`${origin}/v1/models`)])
    const { data: about } = Props().safeParse(props)
    const { data: models } = Models().safeParse(listed)
    if (about?.default_generation_settings === undefined || models === undefined) return undefined
    const { n_ctx: window } = about.default_generation_settings
    const nativeTools = about.chat_template_caps?.supports_tools ?? templateTakesTools(about.chat_template)
    const images = about.modalities?.vision
    return models.data
      .filter(({ id }) => only === undefined || id === only)
      .map(({ id, meta }) => {
        const contextWindow = meta?.n_ctx ?? window
        return {
          id,
          loaded: true,
          ...(contextWindow !== undefined && { contextWindow }),
          ...(meta?.n_ctx_train !== undefined && { largestWindow: meta.n_ctx_train }),
          ...(nativeTools !== undefined && { nativeTools }),
          ...(images !== undefined && { images }),
        }
      })
  },
}

function templateTakesTools(template: string | undefined): boolean | undefined {
  return template === undefined ? undefined : /\btools\b/.test(template)
}
