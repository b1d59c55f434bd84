import { partsOf, type UserParts } from '@loader/tools'
import { UsageError } from '../arguments/usage-error.ts'

/** The task with files of the user, as models take them. One that cannot be sent ends the run. */
export async function givenFiles(text: string, files: readonly string[], folder: string): Promise<UserParts> {
  const parts = await partsOf(text, files, { folder })
  if (parts.refused.length > 0) throw new UsageError(`Not sent: ${parts.refused.join('\n')}`, '')
  return parts
}
