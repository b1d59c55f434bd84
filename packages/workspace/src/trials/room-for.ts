import { createHash, randomBytes } from 'node:crypto'
import type { Experiment, NotShown, TrialChanges } from '@loader/session-core/coding'
import { emptied } from '../emptied/emptied.ts'
import type { ImportGraph } from '../imports/import-graph.ts'
import { canaryAmong, canaryOf, type Canary } from '../runners/canary.ts'
import { scriptCanary } from '../runners/canary-script.ts'
import type { RunnerReport } from '../runners/runner.ts'
import type { TreeTexts } from '../trees/trees-shown.ts'
import { keyedFile } from './keys-of.ts'
import { withoutSuppressions } from './suppressions.ts'

/** The parts of a room for one experiment. */
export interface RoomFor {
  readonly kind: 'room'
  readonly tree: string
  readonly over: ReadonlyMap<string, string | null>
  /** Identifies the room, also with a canary, which is written anew each time. */
  readonly key: readonly string[]
  readonly ignored: 'now' | 'kept'
  readonly canary?: Extract<Canary, { readonly kind: 'canary' }>
}

export type RoomForExperiment = RoomFor | { readonly kind: 'none'; readonly why: NotShown }

export interface Making {
  readonly root: string
  readonly before: string
  readonly now: string
  readonly changed: TrialChanges
  readonly reports: readonly RunnerReport[]
  /** The files that the check runs, in the tree as it is now. */
  readonly scripts: () => Promise<readonly string[]>
  /** The sources in C that it is built of. */
  readonly sources: () => Promise<ReadonlySet<string>>
  /** A tree with some paths taken from another one. */
  readonly mix: (
    base: string,
    parts: readonly { readonly tree: string; readonly paths: readonly string[] }[],
  ) => Promise<string>
  readonly texts: (tree: string) => Promise<TreeTexts>
  readonly graph: (tree: string) => Promise<ImportGraph>
}

export async function roomFor({ room, asNow = [] }: Experiment, making: Making): Promise<RoomForExperiment> {
  const { before, now, changed } = making
  const { aside, byKey = {} } = changed
  switch (room) {
    case 'now':
      return whole(now)
    case 'as_is':
      return { ...whole(now), ignored: 'now' }
    case 'before':
      return whole(before)
    case 'strict':
      return mixed(making, { base: now, other: before, paths: without(aside, asNow), byKey })
    case 'reversed':
      return mixed(making, { base: before, other: now, paths: [...aside, ...asNow], byKey })
    case 'unsuppressed':
      return overNow(making, changed.suppressed, async (path, texts) => {
        const text = await texts.now.text(path)
        if (text === undefined) return undefined
        const runners = making.reports.map(({ runner }) => runner)
        return withoutSuppressions({ before: await texts.before.text(path), now: text }, runners)
      })
    case 'emptied':
      return overNow(making, without(changed.product, asNow), async (path, texts) => {
        const text = await texts.now.text(path)
        if (text === undefined) return undefined
        if (changed.running?.includes(path) === true) return ''
        const result = await emptied({ path, before: await texts.before.text(path), now: text })
        return result.kind === 'emptied' ? result.text : undefined
      })
    case 'canary':
      return withCanary(making)
    default:
      return room satisfies never
  }
}

function without(paths: readonly string[], some: readonly string[]): readonly string[] {
  return paths.filter((it) => !some.includes(it))
}

function whole(tree: string): RoomFor {
  return { kind: 'room', tree, over: new Map(), key: [tree], ignored: 'kept' }
}

interface Mix {
  readonly base: string
  readonly other: string
  readonly paths: readonly string[]
  readonly byKey: Readonly<Record<string, readonly string[]>>
}

async function mixed(making: Making, { base, other, paths, byKey }: Mix): Promise<RoomFor> {
  const tree = await making.mix(base, [{ tree: other, paths: paths.filter((it) => byKey[it] === undefined) }])
  const over = new Map<string, string>()
  for (const [path, keys] of Object.entries(byKey)) {
    if (!paths.includes(path)) continue
    const [under, upper] = [await (await making.texts(base)).text(path), await (await making.texts(other)).text(path)]
    if (under !== undefined && upper !== undefined) {
      over.set(path, keyedFile(path)?.mixed(under, upper, keys) ?? under)
    }
  }
  return { ...whole(tree), over, key: [tree, digestOf(over)] }
}

type Texts = { readonly before: TreeTexts; readonly now: TreeTexts }

/** N with some files replaced. There is no such room when no file can be. */
async function overNow(
  { before, now, texts }: Making,
  paths: readonly string[],
  written: (path: string, texts: Texts) => Promise<string | undefined>,
): Promise<RoomForExperiment> {
  const both = { before: await texts(before), now: await texts(now) }
  const over = new Map<string, string>()
  for (const path of paths) {
    const text = await written(path, both)
    if (text !== undefined) over.set(path, text)
  }
  return over.size === 0 ? { kind: 'none', why: 'impossible' } : { ...whole(now), over, key: [now, digestOf(over)] }
}

/** A canary in place of a test that ran, or beside it. Uses the first runner that a canary can be written for. */
async function withCanary(making: Making): Promise<RoomForExperiment> {
  const { root, now, changed, reports, texts, graph } = making
  const project = await texts(now)
  const imports = await graph(now)
  const mark = `canary${randomBytes(8).toString('hex')}`
  const there = changed.product.filter((it) => project.entries.has(it))
  for (const report of reports) {
    const isLooking = report.runner === 'tsc' || report.runner === 'eslint'
    const modules = isLooking ? there : loadedBy(report.testFiles, there, imports)
    const instead = isLooking ? undefined : placeIn(report.testFiles, modules, changed, imports)
    const canary = await canaryOf({ report, project, root, modules, mark, instead })
    if (canary.kind === 'none') continue
    const over = new Map(canary.files.map(({ path, text }) => [path, text]))
    return { ...whole(now), over, canary, key: [now, 'canary', report.runner, ...modules, instead ?? ''] }
  }
  return reports.length === 0 ? await withScriptCanary(making) : { kind: 'none', why: 'impossible' }
}

/** In more files, what was changed is hardly called in another way. */
const mostAmong = 8

/** A room with a canary behind the tests of this tree that load what has changed, or stand beside it in one file. */
export async function roomAmong(making: Making, tree: string): Promise<RoomFor | undefined> {
  const { root, now, changed, reports, texts, graph } = making
  const [project, imports] = [await texts(tree), await graph(now)]
  const mark = `canary${randomBytes(8).toString('hex')}`
  for (const report of reports) {
    const files = report.testFiles.filter((it) => project.entries.has(it) && isNear(it, changed.product, imports))
    const canary = await canaryAmong({ report, project, root, modules: [], mark }, files.slice(0, mostAmong))
    if (canary.kind === 'none') continue
    const over = new Map(canary.files.map(({ path, text }) => [path, text]))
    return { ...whole(tree), over, canary, key: [tree, 'among', report.runner, ...files] }
  }
  return undefined
}

/** Of a language whose imports are not read, each test is near. */
function isNear(test: string, product: readonly string[], graph: ImportGraph): boolean {
  return product.includes(test) || !graph.files.has(test) || loadedBy([test], product, graph).length > 0
}

/**
 * A check that tells no more than its exit code: each script of it that loads what has changed is one that fails, and each
 * program that is built with it.
 */
async function withScriptCanary({ now, changed, scripts, sources, texts, graph }: Making): Promise<RoomForExperiment> {
  const project = await texts(now)
  const imports = await graph(now)
  const mark = `canary${randomBytes(8).toString('hex')}`
  const over = new Map<string, string>()
  const loaded: string[] = []
  const built = await sources()
  for (const path of new Set([...(await scripts()), ...built])) {
    const others = changed.product.filter((it) => it !== path)
    const modules = built.has(path) ? others.filter((it) => built.has(it)) : loadedBy([path], others, imports)
    if (others.length < changed.product.length || modules.length === 0) continue
    const text = (await project.text(path)) ?? ''
    for (const [file, instead] of scriptCanary({ path, text, modules, mark })) over.set(file, instead)
    loaded.push(path, ...modules)
  }
  if (over.size === 0) return { kind: 'none', why: 'impossible' }
  return { ...whole(now), over, key: [now, 'canary', 'scripts', ...loaded] }
}

/** A test file that contains only tests and that no other file loads; preferably one that loads what has changed. */
function placeIn(
  tests: readonly string[],
  modules: readonly string[],
  { product }: TrialChanges,
  graph: ImportGraph,
): string | undefined {
  const alone = tests.filter((it) => !product.includes(it) && graph.files.has(it) && graph.importers(it).size === 0)
  return alone.find((it) => loadedBy([it], modules, graph).length > 0) ?? alone[0]
}

/** Those of the files that tests load, directly or indirectly. */
function loadedBy(tests: readonly string[], files: readonly string[], graph: ImportGraph): readonly string[] {
  const reached = new Set<string>(tests)
  const open = [...tests]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const { to, kind } of graph.imports(next)) {
      if (to.kind !== 'file' || kind === 'type' || reached.has(to.path)) continue
      reached.add(to.path)
      open.push(to.path)
    }
  }
  return files.filter((it) => reached.has(it) && !tests.includes(it))
}

function digestOf(over: ReadonlyMap<string, string | null>): string {
  return createHash('sha256')
    .update(JSON.stringify([...over]))
    .digest('hex')
    .slice(0, 20)
}
