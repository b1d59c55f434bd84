/** Models that are known not to think, and whose providers refuse requests that say how much they shall. */
const thoughtless = {
  openai: /^(gpt-3|gpt-4|chatgpt-|gpt-5(\.\d+)?-chat)/,
  anthropic: /claude-(instant|v?2\b|3(?!-7))/,
  google: /gemini-(1\.|2\.0)(?!.*thinking)|gemma-[123]|learnlm/,
} as const

export function cannotThink(provider: keyof typeof thoughtless, model: string): boolean {
  return thoughtless[provider].test(model)
}
