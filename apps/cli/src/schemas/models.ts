import * as z from 'zod'

const ListedModel = z.object({
  name: z.string().describe('as -m takes it'),
  nativeTools: z.boolean().nullable().describe('whether it calls tools by itself; null when the server does not tell'),
  contextWindow: z.int().nullable().describe('tokens that a request gets now'),
  largestWindow: z.int().nullable().describe('tokens that the model was made for'),
  loaded: z.boolean().nullable(),
  warnings: z.array(z.string()),
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
        keyVariable: z.string(),
        hasKey: z.boolean().describe('whether the environment has the key; it is not shown'),
      }),
    ),
  })
  .describe('loader models --json')
export type ModelsOutput = z.infer<typeof ModelsOutput>
