import { type Failing, failure } from '../failures/failure.ts'

/** Fails early, because requests without a key would be refused. */
export function requireKey(key: string | undefined, failing: Failing): string {
  if (key !== undefined) return key
  throw failure(failing, 'auth', `needs an API key, and none is set. ${failing.keyAdvice ?? ''}`.trim())
}
