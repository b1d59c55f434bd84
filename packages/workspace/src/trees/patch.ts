import { requireTree } from './ask-side.ts'
import { shownRawPath, splitAtNul } from './raw-path.ts'
import { sideGit, type SideRepository } from './side-repository.ts'

const plain = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-renames', '--full-index']

/** The difference between two trees, in the format of `git diff`. */
export async function patchBetween(
  side: SideRepository,
  from: string,
  to: string,
  paths: readonly string[],
): Promise<string> {
  const { bytes } = await difference(side, from, to, [...plain, from, to, '--', ...paths])
  return Buffer.from(bytes).toString('utf8')
}

/** The number of changed lines by path. Binary files are left out. */
export async function linesChanged(
  side: SideRepository,
  from: string,
  to: string,
): Promise<ReadonlyMap<string, { readonly added: number; readonly removed: number }>> {
  const { output } = await difference(side, from, to, ['--numstat', '-z', ...plain, from, to])
  const lines = splitAtNul(output).flatMap((line) => {
    const [, added, removed, path = ''] = /^(\d+)\t(\d+)\t([^]*)$/.exec(line) ?? []
    return added === undefined
      ? []
      : [[shownRawPath(path), { added: Number(added), removed: Number(removed) }] as const]
  })
  return new Map(lines)
}

async function difference(side: SideRepository, from: string, to: string, options: readonly string[]) {
  await requireTree(side, from)
  await requireTree(side, to)
  return await sideGit(side, { arguments: ['diff', ...options] })
}
