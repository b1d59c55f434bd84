import type { Neighbours, SourceFile } from '../source/source-file.ts'

/**
 * Finds the file of another session, starting from the file of a fork. It is in the same folder, in the folder of
 * another day (`YYYY/MM/DD`, by the start of each session), or among the archived ones.
 */
export function fileOfSession(id: string, { beside, path }: SourceFile): SourceFile | undefined {
  const own = nameOf(path)
  for (const folder of foldersFrom(beside)) {
    const name = beside.list(folder).find((other) => other !== own && other.endsWith(`${id}.jsonl`))
    if (name === undefined) continue
    const file = beside.open(folder === '.' ? name : `${folder}/${name}`)
    if (file !== undefined) return file
  }
  return undefined
}

export function nameOf(path: string): string {
  return path.replace(/^.*[/\\]/, '')
}

function* foldersFrom(beside: Neighbours): Generator<string> {
  yield '.'
  yield* days('../../..', beside)
  yield '../../../../archived_sessions'
  yield* days('../sessions', beside)
}

function* days(root: string, beside: Neighbours): Generator<string> {
  for (const year of numbered(root, /^\d{4}$/, beside)) {
    for (const month of numbered(year, /^\d{2}$/, beside)) yield* numbered(month, /^\d{2}$/, beside)
  }
}

/** The latest first, because most forks are of recent sessions. */
function numbered(folder: string, form: RegExp, beside: Neighbours): string[] {
  const names = beside.list(folder).filter((name) => form.test(name))
  return names.toSorted((one, other) => (one < other ? 1 : -1)).map((name) => `${folder}/${name}`)
}
