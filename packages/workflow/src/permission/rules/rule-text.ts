import type { PermissionRule } from '@loader/session-core/coding'

/** A rule in words: as it was written, or by its conditions. */
export function ruleText({ tool, contains, pathContains, pattern }: PermissionRule): string {
  const conditions = [
    ...(pattern === undefined ? [] : [pattern]),
    ...(tool === undefined ? [] : [`tool=${tool}`]),
    ...(contains === undefined ? [] : [`contains=${contains}`]),
    ...(pathContains === undefined ? [] : [`path_contains=${pathContains}`]),
  ]
  return conditions.length === 0 ? 'everything' : conditions.join(', ')
}
