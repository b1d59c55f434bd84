import { sharedNames } from '../text/tool-names.ts'

/**
 * Whether a matcher is about a value: nothing and `*` are about all; words with `|` or commas between them, about exactly
 * these; anything else is a regular expression that may match any part.
 */
export function matches(matcher: string, value: string): boolean {
  if (matcher === '' || matcher === '*') return true
  if (/^[\w\s|,-]+$/.test(matcher)) return matcher.split(/[|,]/).some((word) => word.trim() === value)
  return new RegExp(matcher).test(value)
}

/** The same for a tool, by all names that it has in shared files: a hook on `Edit` is about `edit` and `patch`. */
export function matchesTool(matcher: string, name: string): boolean {
  return sharedNames(name).some((each) => matches(matcher, each))
}
