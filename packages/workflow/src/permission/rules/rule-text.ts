import type { PermissionRule } from '@loader/session-core/coding'

/** A rule as text: as it was written, or by its conditions. */
export function ruleText({ tool, contains, pathContains, pattern, reach, definition }: PermissionRule): string {
  const conditions = [
    ...(pattern === undefined ? [] : [reach === undefined ? pattern : `${pattern}@${reach}`]),
    ...(tool === undefined ? [] : [`tool=${tool}`]),
    ...(contains === undefined ? [] : [`contains=${contains}`]),
    ...(pathContains === undefined ? [] : [`path_contains=${pathContains}`]),
    ...(reach === undefined || pattern !== undefined ? [] : [`reach=${reach}`]),
    ...(definition === undefined ? [] : [`definition=${definition}`]),
  ]
  return conditions.length === 0 ? 'everything' : conditions.join(', ')
}
