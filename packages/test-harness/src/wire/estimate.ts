/**
 * How many tokens a body counts as here: a quarter of its bytes as JSON, which no real tokenizer says, but which is the
 * same on every machine.
 */
export function estimateTokens(...parts: readonly unknown[]): number {
  const bytes = parts.map((part) => new TextEncoder().encode(JSON.stringify(part) ?? '').length)
  return Math.ceil(bytes.reduce((sum, one) => sum + one, 0) / 4)
}
