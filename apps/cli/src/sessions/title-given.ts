import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'

/** The title from --name; undefined if it was not given. */
export function titleGiven(given: Given): string | undefined {
  const title = given.value('name')?.trim()
  if (title === '') throw new UsageError('A title has to say something.', given.command.name)
  return title
}
