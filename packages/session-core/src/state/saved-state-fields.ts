import { parseInEnglish } from '../words/parse-in-english.ts'
import { SavedState } from './state.ts'

/**
 * What is wrong with a value that should be a saved state; undefined where nothing is. The only schema that folding needs:
 * the page, which gets what its server has checked, is built without it.
 */
export function wrongFieldOf(value: unknown): string | undefined {
  const result = parseInEnglish(SavedState, value)
  if (result.success) return undefined
  const [issue] = result.error.issues
  return `field ${issue?.path.join('.') || '(root)'} is wrong (${issue?.message ?? 'no detail'})`
}
