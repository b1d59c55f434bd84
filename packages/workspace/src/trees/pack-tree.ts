import type {
  LeftOut,
  PackOptions,
  PackTaken,
  SavedBase,
  SavedFiles,
  SavedHead,
  WorkspaceTree,
} from '@loader/session-core/coding'
import { folderMode } from '../git/tree-object.ts'
import { codeOf, meaningOf } from '../paths/system-errors.ts'
import { folderEntries, requireTree } from './ask-side.ts'
import { filesToCarry } from './carried-files.ts'
import { keepContents } from './keep-contents.ts'
import { countCommits, folderIn, objectsOf, packHistory, type ProjectGit, unfinishedIn } from './project-git.ts'
import { type RawPath, shownRawPath } from './raw-path.ts'
import { GitFailure, sideGit, type SideRepository } from './side-repository.ts'
import { storeTree } from './store-tree.ts'
import type { LeftInPlace } from './trees-shown.ts'

export interface Packing {
  readonly side: SideRepository
  readonly root: string
  readonly project: ProjectGit
  readonly head: SavedHead | undefined
  readonly left: LeftInPlace
  readonly largestFile: number
  /** What a remote of the project has; asked for where a pack has nothing else to begin from. */
  readonly base: () => Promise<SavedBase | undefined>
}

/** A larger pack is not made: it would not fit through the memory of this process and the messages of a database. */
const mostPackBytes = 512 * 1024 ** 2
/** So large is a piece at most, before it is written in base64. */
const pieceBytes = 3 * 1024 ** 2

/**
 * Packs a tree for other machines.
 *
 * 1. The pack and what came before it hold every object of the tree, of what it leaves out, and of carried files; but for
 *    those that the remote of the project has under the commit that `base` names.
 * 2. Contents are read from our own repository alone: nothing that a command does to the repository of the project
 *    changes what is packed.
 * 3. Equal input gives an equal commit, on every machine.
 */
export async function packTree(packing: Packing, tree: WorkspaceTree, options: PackOptions): Promise<PackTaken> {
  try {
    return await packed(packing, tree, options)
  } catch (error) {
    const why = error instanceof GitFailure ? error.message : codeOf(error) && meaningOf(error)
    if (why === undefined) throw error
    return { kind: 'refused', why }
  }
}

async function packed(packing: Packing, tree: WorkspaceTree, { since, carry }: PackOptions): Promise<PackTaken> {
  const { side, project, head } = packing
  const found = await carriedNow(packing, carry)
  const { carried } = found
  const leftOut = [...leftOutNow(tree.leftOut, packing.left, found), ...named('unfinished', unfinishedIn(project))]
  const isSame =
    since?.tree === tree.id &&
    since.rest === tree.rest &&
    since.carried?.tree === carried?.tree &&
    since.head?.commit === head?.commit &&
    since.head?.branch === head?.branch &&
    isSameLeftOut(since.leftOut, leftOut)
  if (isSame) return { kind: 'same' }
  const known = since !== undefined && isWhole(side, since) ? since : undefined
  const base = known === undefined ? await packing.base() : undefined
  const commit = await keepCommit(side, tree.id, known?.commit)
  const bytes =
    known === undefined
      ? await packWhole(packing, [commit, tree.id, tree.rest, ...(carried ? [carried.tree] : [])], base)
      : await packSince(side, { commit, rest: tree.rest, carried }, known)
  if (bytes.length > mostPackBytes) {
    return { kind: 'refused', why: `the files weigh more than ${mostPackBytes} bytes, packed` }
  }
  const folder = folderIn(project)
  const history = await historySince(project, { head, since, base })
  return {
    kind: 'packed',
    saved: {
      tree: tree.id,
      rest: tree.rest,
      commit,
      ...(known && { parent: known.commit }),
      ...(base && { base }),
      ...(head && { head }),
      ...(folder !== undefined && { folder }),
      ...(carried && { carried }),
      leftOut: history.kind === 'too_large' ? [...leftOut, unsaidCommits(history.commits)] : leftOut,
      bytes: bytes.length,
    },
    pieces: piecesOf(bytes),
    ...(history.kind === 'packed' && {
      history: { since: history.since, bytes: history.bytes.length, pieces: piecesOf(history.bytes) },
    }),
  }
}

/** Whether everything of an earlier save is in our repository. */
function isWhole({ objects }: SideRepository, { commit, tree, rest, carried }: SavedFiles): boolean {
  return [commit, tree, rest, ...(carried ? [carried.tree] : [])].every((id) => objects.has(id))
}

async function carriedNow({ side, root, left, largestFile }: Packing, carry: readonly string[]) {
  const found = filesToCarry(root, left.ignored, carry, largestFile)
  if (found.files.length === 0) return { found }
  const entries = await keepContents(side, root, found.files)
  const carried = { tree: await storeTree(side, entries, new Set()), count: entries.size, bytes: found.bytes }
  return { found, carried }
}

/** What another folder will lack has to be known there, although the tree is the same. */
function isSameLeftOut(before: readonly LeftOut[], now: readonly LeftOut[]): boolean {
  const said = before.filter(({ kind }) => kind !== commits)
  return JSON.stringify(said) === JSON.stringify(now)
}

const commits = 'commits'
const mostNames = 20

/** What is left out: carried files are not among it. */
function leftOutNow(
  leftOut: readonly LeftOut[],
  { ignored }: LeftInPlace,
  { found }: Awaited<ReturnType<typeof carriedNow>>,
): LeftOut[] {
  if (found.files.length === 0 && found.large.length === 0) return [...leftOut]
  const gone = new Set(found.files)
  const rest = ignored.filter((path) => !gone.has(path))
  return [
    ...leftOut.filter(({ kind }) => kind !== 'ignored'),
    ...named('ignored', rest),
    ...named('too_large_to_carry', found.large),
  ]
}

function named(kind: string, paths: readonly RawPath[]): LeftOut[] {
  if (paths.length === 0) return []
  return [{ kind, count: paths.length, names: paths.toSorted().slice(0, mostNames).map(shownRawPath) }]
}

function unsaidCommits(count: number): LeftOut {
  return { kind: commits, count: Math.max(count, 1), names: [] }
}

async function keepCommit(side: SideRepository, tree: string, parent: string | undefined): Promise<string> {
  const person = 'Loader <loader> 0 +0000'
  const lines = [
    `tree ${tree}`,
    ...(parent === undefined ? [] : [`parent ${parent}`]),
    `author ${person}`,
    `committer ${person}`,
    '',
    'files of a session',
    '',
  ]
  const [id = ''] = await side.objects.keep([{ type: 'commit', content: Buffer.from(lines.join('\n')) }])
  return id
}

/** Everything that these lead to, but for what the base has. */
async function packWhole(
  { side, project }: Packing,
  roots: readonly string[],
  base: SavedBase | undefined,
): Promise<Uint8Array> {
  const known = base === undefined ? new Set<string>() : await objectsOf(project, base.commit)
  const [commit = '', tree = '', rest = '', ...others] = roots
  const wanted = new Map([
    [commit, ''],
    [rest, ''],
  ])
  for (const root of [tree, ...others]) {
    await requireTree(side, root)
    await addObjects(side, root, '', { known, wanted })
  }
  const input = [...wanted].map(([id, path]) => `${id} ${path}\n`).join('')
  return (await sideGit(side, { arguments: [...packArguments, `--window=${few}`], input })).bytes
}

/** Of everything: comparing each file with ten others takes seconds, and saves little. */
const few = 2

const packArguments = ['pack-objects', '-q', '--stdout', '--delta-base-offset']

async function addObjects(
  side: SideRepository,
  folder: string,
  path: RawPath,
  to: { readonly known: ReadonlySet<string>; readonly wanted: Map<string, string> },
): Promise<void> {
  if (to.known.has(folder) || to.wanted.has(folder)) return
  // A name only helps git to find similar contents; line breaks in it would be taken for another object.
  to.wanted.set(folder, path.replaceAll(/[\n\0]/g, '_'))
  for (const [name, { mode, blob }] of await folderEntries(side, folder)) {
    if (mode === folderMode) await addObjects(side, blob, `${path}${name}/`, to)
    else if (!to.known.has(blob)) to.wanted.set(blob, `${path}${name}`.replaceAll(/[\n\0]/g, '_'))
  }
}

async function packSince(
  side: SideRepository,
  now: Pick<SavedFiles, 'commit' | 'rest' | 'carried'>,
  before: Pick<SavedFiles, 'commit' | 'rest' | 'carried'>,
): Promise<Uint8Array> {
  const ids = ({ commit, rest, carried }: typeof now) => [commit, rest, ...(carried ? [carried.tree] : [])]
  const input = [...ids(now), '--not', ...ids(before)].map((id) => `${id}\n`).join('')
  return (await sideGit(side, { arguments: [...packArguments, '--revs', '--thin'], input })).bytes
}

type HistoryPacked =
  | { readonly kind: 'none' }
  | { readonly kind: 'packed'; readonly since: readonly string[]; readonly bytes: Uint8Array }
  | { readonly kind: 'too_large'; readonly commits: number }

/** The commits of the project that neither its remote has nor an earlier save. */
async function historySince(
  project: ProjectGit,
  { head, since, base }: Pick<SavedFiles, 'head' | 'base'> & { readonly since: SavedFiles | undefined },
): Promise<HistoryPacked> {
  if (head === undefined || head.commit === since?.head?.commit) return { kind: 'none' }
  const known = [base?.commit, since?.head?.commit].filter((commit) => commit !== undefined)
  if (known.includes(head.commit)) return { kind: 'none' }
  const bytes = await packHistory(project, head.commit, known)
  if (bytes !== undefined) return { kind: 'packed', since: known, bytes }
  return { kind: 'too_large', commits: await countCommits(project, head.commit, known) }
}

function piecesOf(bytes: Uint8Array): string[] {
  const { buffer, byteOffset, byteLength } = bytes
  const pieces: string[] = []
  for (let start = 0; start < byteLength; start += pieceBytes) {
    const length = Math.min(pieceBytes, byteLength - start)
    pieces.push(Buffer.from(buffer, byteOffset + start, length).toString('base64'))
  }
  return pieces
}
