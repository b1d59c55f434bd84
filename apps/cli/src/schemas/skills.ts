import type { Immutable } from '@loader/session-core'
import * as z from 'zod'

const ListedSkill = z.object({
  name: z.string(),
  description: z.string().describe('what the model chooses by'),
  file: z.string(),
  origin: z.enum(['user', 'project']),
  allowedTools: z.array(z.string()).describe('rules that count from when it is loaded until the task is done'),
  inert: z.string().nullable().describe('why these rules do not count'),
})

export const SkillsOutput = z
  .object({
    skills: z.array(ListedSkill),
    refused: z.array(z.object({ file: z.string(), why: z.string() })).describe('files that are no skill'),
  })
  .describe('loader skills --json')
export type SkillsOutput = Immutable<z.infer<typeof SkillsOutput>>
