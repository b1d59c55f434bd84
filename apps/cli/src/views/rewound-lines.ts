import { inOneLine } from '@loader/readings'
import type { RewindOutput } from '../schemas/rewind.ts'
import type { Paint } from '../screen/paint.ts'
import { wrap } from '../screen/width.ts'

type Rewound = Pick<RewindOutput, 'done' | 'files' | 'unseen'>
type File = Rewound['files'][number]

/** What rewinding does, or would do, to each file. */
export function rewoundLines(
  { done, files, unseen }: Rewound,
  { width, paint }: { readonly width: number; readonly paint: Paint },
): string[] {
  const notes = unseen.flatMap(({ turnId, why }) =>
    wrap(`  what ${turnId} has changed is not known, and stays: ${inOneLine(why)}`, width),
  )
  return [
    ...(files.length === 0 && unseen.length === 0 ? ['No file is touched.'] : []),
    ...files.flatMap((file) => fileLines(file, done ? 'done' : 'foreseen', width, paint)),
    ...notes.map((line) => paint('yellow', line)),
  ]
}

const words = {
  done: { write: 'put back', remove: 'removed', make_folder: 'made', remove_folder: 'removed', stays: 'stays' },
  foreseen: {
    write: 'would be put back',
    remove: 'would be removed',
    make_folder: 'would be made',
    remove_folder: 'would be removed',
    stays: 'stays',
  },
} as const

function fileLines(
  { path, outcome, action = 'write', reason }: File,
  when: keyof typeof words,
  width: number,
  paint: Paint,
): string[] {
  const what = words[when][outcome === 'kept' ? 'stays' : action]
  const slash = action === 'make_folder' || action === 'remove_folder' ? '/' : ''
  const text = `  ${what}: ${inOneLine(path)}${slash}${reason === undefined ? '' : ` (${inOneLine(reason)})`}`
  return wrap(text, width).map((line) => (reason === undefined ? line : paint('yellow', line)))
}
