import type { Immutable } from '@loader/session-core'
import { PromptSnapshot } from '@loader/session-core/coding'
import * as z from 'zod'
import { SessionName } from './session.ts'

/** The latest system prompt, as `loader prompt show --json` prints it. */
export const PromptShowOutput = z
  .object({
    session: SessionName,
    prompt: z.nullable(PromptSnapshot).describe('the latest, with its whole text; null before the first request'),
    count: z.int().describe('how many prompts there were'),
  })
  .describe('loader prompt show --json')
export type PromptShowOutput = Immutable<z.infer<typeof PromptShowOutput>>

const Changes = z.object({
  added: z.array(z.string()),
  removed: z.array(z.string()),
  changed: z.array(z.string()),
})

/** The difference between the last two system prompts, as `loader prompt diff --json` prints it. */
export const PromptDiffOutput = z
  .object({
    session: SessionName,
    before: z.nullable(PromptSnapshot).describe('the last but one; null when there is none'),
    after: z.nullable(PromptSnapshot),
    sections: Changes.describe('names of the sections that differ'),
    diff: z.string().describe('unified, without file names; empty when nothing differs'),
  })
  .describe('loader prompt diff --json')
export type PromptDiffOutput = Immutable<z.infer<typeof PromptDiffOutput>>
