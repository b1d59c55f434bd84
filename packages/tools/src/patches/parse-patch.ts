import type { Parsed } from './file-patch.ts'
import { isEnvelope, parseEnvelope } from './parse-envelope.ts'
import { parseUnified } from './parse-unified.ts'

/** Reads a patch in either of its kinds, also when it comes in a code fence. */
export function parsePatch(text: string): Parsed {
  const plain = withoutFence(text)
  return isEnvelope(plain) ? parseEnvelope(plain) : parseUnified(plain)
}

function withoutFence(text: string): string {
  return /^\s*```[a-z]*\r?\n(.*?)\r?\n?```\s*$/s.exec(text)?.[1] ?? text
}
