import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'

/** The title of --name; undefined when none was given. */
export function titleGiven(given: Given): string | undefined {
  const title = given.value('name')?.trim()
  if (title === '') throw new UsageError('A title has to say something.', given.command.name)
  return title
}
