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
    promptTokens(system, tokenizer),
  )
}

/** The prompt of one request is mostly that of the one before. */
let latest = { system: '', tokens: 0 }

function promptTokens(system: string, tokenizer: Tokenizer | undefined): number {
  if (tokenizer !== undefined) return textTokens(system, tokenizer)
  if (latest.system !== system) latest = { system, tokens: textTokens(system) }
  return latest.tokens
}
