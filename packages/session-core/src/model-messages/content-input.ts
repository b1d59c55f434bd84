import * as z from 'zod/mini'

/** A list of parts; everywhere a string may stand for one text. */
export function contentInput<Part extends z.ZodMiniType>(part: Part) {
  return z.pipe(
    z.transform((content) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content)),
    z.array(part),
  )
}
