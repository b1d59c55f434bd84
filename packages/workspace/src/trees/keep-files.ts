import { LoaderError } from '@loader/session-core'
import { readBlobs, requireTree } from './ask-side.ts'
import { PrivateIndex } from './private-index.ts'
import { type RawPath, splitAtNul } from './raw-path.ts'
import { sideGit, type SideRepository } from './side-repository.ts'
import type { KeptFiles } from './trees-shown.ts'

/** Keeps files as a tree with two entries: the files, and a text beside them. */
export async function keepFiles(
  side: SideRepository,
  root: string,
  files: readonly RawPath[],
  beside: string,
): Promise<string> {
  using index = new PrivateIndex(side.folder)
  const request = { index: index.path, workTree: root }
  const input = files.map((path) => `${path}\0`).join('')
  await sideGit(side, { ...request, arguments: ['update-index', '--add', '--remove', '-z', '--stdin'], input })
  const tree = await sideGit(side, { ...request, arguments: ['write-tree'] })
  return await keepTree(side, tree.output.trim(), beside)
}

/** The same, of files that are a tree already. */
export async function keepTree(side: SideRepository, files: string, beside: string): Promise<string> {
  const text = ['hash-object', '-w', '-t', 'blob', '--stdin', '--no-filters']
  const blob = await sideGit(side, { arguments: text, input: Buffer.from(beside) })
  const entries = [`100644 blob ${blob.output.trim()}\tbeside`, `040000 tree ${files}\tfiles`].join('\0')
  return (await sideGit(side, { arguments: ['mktree', '-z'], input: `${entries}\0` })).output.trim()
}

export async function keptFiles(side: SideRepository, id: string): Promise<KeptFiles> {
  await requireTree(side, id)
  const { output } = await sideGit(side, { arguments: ['ls-tree', '-z', id] })
  const [beside = '', files = ''] = splitAtNul(output).map((line) => line.split(/[ \t]/)[2] ?? '')
  const text = (await readBlobs(side, [beside])).get(beside)
  if (text === undefined || files === '')
    throw new LoaderError('blob_missing', `The files ${id} are not kept any more, or never were.`)
  return { files, beside: text.toString('utf8') }
}
