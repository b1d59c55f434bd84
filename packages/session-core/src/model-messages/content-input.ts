import * as z from 'zod'

/** A list of parts; everywhere a string may stand for one text. */
export function contentInput<Part extends z.ZodType>(part: Part) {
  return z.preprocess(
    (content) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content),
    z.array(part),
  )
}
