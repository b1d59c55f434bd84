import type { ModelRequest } from '@loader/session-core'
import { textTokens, type Tokenizer } from './text-tokens.ts'

/** What a tool costs besides its words: the frame that servers put around each. */
const toolFrameTokens = 8

/** Tokens of what comes with every request: the system prompt, and the tools with their schemas. */
export function overheadTokens(
  { system, tools }: Pick<ModelRequest, 'system' | 'tools'>,
  tokenizer?: Tokenizer,
): number {
  return tools.reduce(
    (sum, tool) => sum + toolFrameTokens + textTokens(JSON.stringify(tool), tokenizer),
    textTokens(system, tokenizer),
  )
}
