import type { Goal } from '@loader/session-core/coding'

/** How much work a task is, by what it has touched so far. */
export function taskSize({
  files,
  lines,
}: {
  readonly files: number
  readonly lines: number
}): NonNullable<Goal['size']> {
  if (files <= 3 && lines < 100) return 'small'
  return files <= 15 && lines < 500 ? 'standard' : 'large'
}
