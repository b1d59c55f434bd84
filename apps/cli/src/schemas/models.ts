import * as z from 'zod'

const ListedModel = z.object({
  name: z.string().describe('as -m takes it'),
  nativeTools: z.boolean().nullable().describe('whether it calls tools by itself; null when the server does not tell'),
  contextWindow: z.int().nullable().describe('tokens that a request gets now'),
  largestWindow: z.int().nullable().describe('tokens that the model was made for'),
  loaded: z.boolean().nullable(),
  warnings: z.array(z.string()),
})

const CloudModel = z.object({
  name: z.string().describe('as -m takes it'),
  contextWindow: z.int().nullable().describe('tokens; null when it is not known'),
  nativeTools: z.boolean().nullable().describe('whether it calls tools by itself'),
  images: z.boolean().nullable().describe('whether it takes pictures'),
  thinking: z.boolean().nullable().describe('whether it can think before it answers'),
})

export const ModelsOutput = z
  .object({
    chosen: z.string().nullable().describe('the model that is used when none is given'),
    servers: z.array(
      z.object({ kind: z.string(), title: z.string(), origin: z.string(), models: z.array(ListedModel) }),
    ),
    clouds: z.array(
      z.object({
        provider: z.string(),
        title: z.string().describe('the name for people'),
        keyVariable: z.string().describe('the variable that holds its key'),
        hasKey: z.boolean().describe('whether there is a key, wherever it is kept; it is not shown'),
        state: z
          .enum(['listed', 'failed', 'no_key', 'no_list'])
          .describe('no_key: it was not asked; no_list: its models cannot be listed'),
        problem: z.string().nullable().describe('why it could not be asked, and what to do'),
        models: z.array(CloudModel).describe('the newest first, where the provider tells'),
        tested: z
          .enum(['strict server', 'compared request', 'not tried'])
          .nullable()
          .describe('what has shown that requests to it are right; null for a provider of your own'),
      }),
    ),
  })
  .describe('loader models --json')
export type ModelsOutput = z.infer<typeof ModelsOutput>
