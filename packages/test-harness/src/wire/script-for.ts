import type { PreparedScript } from './prepared-script.ts'
import type { Headers } from './protocol.ts'

/** The script for a request: the one named in its path, the one with its key, or the only one without a key. */
export function scriptFor(
  scripts: readonly PreparedScript[],
  named: string | undefined,
  headers: Headers,
): PreparedScript | undefined {
  const key = keyOf(headers)
  if (named !== undefined) return scripts.find((script) => script.name === named && opens(script, key))
  const keyed = scripts.find((script) => script.key !== undefined && script.key === key)
  const open = scripts.filter((script) => script.key === undefined)
  return keyed ?? (open.length === 1 ? open[0] : undefined)
}

function opens(script: PreparedScript, key: string | undefined): boolean {
  return script.key === undefined || script.key === key
}

function keyOf(headers: Headers): string | undefined {
  return headers['x-api-key'] ?? headers['x-goog-api-key'] ?? headers['authorization']?.replace(/^Bearer /i, '')
}
