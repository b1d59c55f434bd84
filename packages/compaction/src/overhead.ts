import type { ModelRequest } from '@loader/session-core'
import { textTokens, type Tokenizer } from './text-tokens.ts'

/** The tokens of a tool in addition to its text, for the format that servers put around it. */
const toolFrameTokens = 8

/** Tokens that come with every request: the system prompt, and the tools with their schemas. */
export function overheadTokens(
  { system, tools }: Pick<ModelRequest, 'system' | 'tools'>,
  tokenizer?: Tokenizer,
): number {
  return tools.reduce(
    (sum, tool) => sum + toolFrameTokens + textTokens(JSON.stringify(tool), tokenizer),
    promptTokens(system, tokenizer),
  )
}

/** Cached, because the prompt rarely changes between requests. */
let latest = { system: '', tokens: 0 }

function promptTokens(system: string, tokenizer: Tokenizer | undefined): number {
  if (tokenizer !== undefined) return textTokens(system, tokenizer)
  if (latest.system !== system) latest = { system, tokens: textTokens(system) }
  return latest.tokens
}
