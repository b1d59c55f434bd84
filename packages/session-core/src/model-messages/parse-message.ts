import type * as z from 'zod/mini'
import { LoaderError } from '../words/errors.ts'
import { parseInEnglish } from '../words/parse-in-english.ts'

/** One message of another program, or an error that names its place and field. */
export function parseMessage<Schema extends z.ZodMiniType>(
  schema: Schema,
  program: string,
  value: unknown,
  index: number,
): z.output<Schema> {
  const result = parseInEnglish(schema, value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = issue === undefined || issue.path.length === 0 ? 'it' : `its field ${issue.path.join('.')}`
  throw new LoaderError(
    'invalid_message',
    `messages[${index}] is not a message of ${program}: ${field} is wrong (${issue?.message ?? 'no detail'}). ` +
      'Nothing was converted; correct this message or leave it out.',
  )
}
