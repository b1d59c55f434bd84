import { LoaderError } from '@loader/session-core'
import { folderMode } from '../git/tree-object.ts'
import { folderEntries, readBlobs, requireTree } from './ask-side.ts'
import { keepContents } from './keep-contents.ts'
import type { RawPath } from './raw-path.ts'
import { storeTree } from './store-tree.ts'
import type { SideRepository } from './side-repository.ts'
import type { KeptFiles } from './trees-shown.ts'

/** Keeps files as a tree with two entries: the files, and a text beside them. */
export async function keepFiles(
  side: SideRepository,
  root: string,
  files: readonly RawPath[],
  beside: string,
): Promise<string> {
  const entries = await keepContents(side, root, files)
  return await keepTree(side, await storeTree(side, entries, new Set()), beside)
}

/** The same, for files that are a tree already. */
export async function keepTree(side: SideRepository, files: string, beside: string): Promise<string> {
  const [blob = ''] = await side.objects.keep([{ type: 'blob', content: Buffer.from(beside) }])
  const both = [
    ['beside', { mode: '100644', blob }],
    ['files', { mode: folderMode, blob: files }],
  ] as const
  return await storeTree(side, both, new Set())
}

export async function keptFiles(side: SideRepository, id: string): Promise<KeptFiles> {
  await requireTree(side, id)
  const names = new Map(await folderEntries(side, id))
  const [beside, files] = [names.get('beside')?.blob, names.get('files')?.blob]
  const text = beside === undefined ? undefined : (await readBlobs(side, [beside])).get(beside)
  if (text === undefined || files === undefined)
    throw new LoaderError('blob_missing', `The files ${id} are not kept any more, or never were.`)
  return { files, beside: text.toString('utf8') }
}
