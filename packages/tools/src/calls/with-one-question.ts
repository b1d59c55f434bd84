import { JsonObject } from '@loader/session-core'
import { isList } from './is-list.ts'

/** Some ask several questions at once; here it is one after the other, so the first is asked. */
export function withOneQuestion(input: JsonObject): JsonObject {
  const [first] = isList(input['questions']) ? input['questions'] : []
  const object = JsonObject.safeParse(first).data
  if (input['question'] !== undefined || object === undefined) return input
  const { header, ...rest } = object
  return { ...rest, ...(header !== undefined && { title: header }) }
}
