import type { JsonObject } from '@loader/session-core'
import { isList } from './is-list.ts'

/** `git log --oneline` in one text. What has quotes in it is not taken apart. */
export function withAction(input: JsonObject): JsonObject {
  const { action, args } = input
  if (typeof args === 'string') return withAction({ ...input, args: args.split(/\s+/).filter((word) => word !== '') })
  if (typeof action !== 'string' || /["'\\]/.test(action)) return input
  const [first, ...rest] = action
    .replace(/^\s*git\s+/, '')
    .trim()
    .split(/\s+/)
  return {
    ...input,
    action: first ?? action,
    ...(rest.length > 0 && { args: [...rest, ...(isList(args) ? args : [])] }),
  }
}
