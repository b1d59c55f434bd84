import { endWords } from '@loader/workflow'
import type { AcceptOutput } from '../schemas/accept.ts'
import type { Paint } from '../screen/paint.ts'
import { wrap } from '../screen/width.ts'
import { patchLines } from './patch-lines.ts'

/** What there is to accept with its diff, and the result of accepting. */
export function acceptLines(
  { done, files, packages, tests, patch, judgement, session }: AcceptOutput,
  { width, paint }: { readonly width: number; readonly paint: Paint },
): string[] {
  if (judgement === null) return wrap('There is nothing to accept: the last turn rests on nothing.', width)
  const what = [...files, ...packages, ...tests].map((name) => `  ${name}`)
  const last = done
    ? endWords(null, judgement)
    : [`Nothing has been accepted. If this is right: loader accept ${session} --yes`]
  return [
    ...patchLines(patch.split('\n'), { width, paint }),
    paint('bold', done ? 'Accepted:' : 'To be accepted:'),
    ...what,
    ...last.flatMap((line) => wrap(line, width)),
  ]
}
