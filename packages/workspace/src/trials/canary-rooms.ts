import { randomBytes } from 'node:crypto'
import type { RoomRun, TrialChanges } from '@loader/session-core/coding'
import type { ImportGraph } from '../imports/import-graph.ts'
import { canaryAmong, canaryOf } from '../runners/canary.ts'
import { scriptCanary } from '../runners/canary-script.ts'
import { type Making, type RoomFor, type RoomForExperiment, whole } from './making.ts'

/** A canary in place of a test that ran, or beside it. Uses the first runner that a canary can be written for. */
export async function roomWithCanary(making: Making): Promise<RoomForExperiment> {
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

/**
 * The run of a canary behind tests that both trees have, where it tells something. Where it does not fail, and does not
 * on the tree before the work either, the tests themselves keep it from that: then it has to be tried alone, as it has
 * where a second run says something else.
 */
export async function canaryAmongTests(
  making: Making,
  inRoom: (room: RoomFor) => Promise<RoomRun>,
): Promise<RoomRun | undefined> {
  const room = await roomAmong(making, making.now)
  if (room === undefined) return undefined
  const now = await inRoom(room)
  if (hasFailed(now)) return now
  const control = isGreen(now) ? await roomAmong(making, making.before) : undefined
  if (control === undefined || !hasFailed(await inRoom(control))) return undefined
  return isGreen(await inRoom({ ...room, key: [...room.key, 'again'] })) ? now : undefined
}

function hasFailed({ outcome }: RoomRun): boolean {
  return outcome.kind === 'shown' && outcome.shown.exit === 'red' && outcome.shown.tests === undefined
}

function isGreen({ outcome }: RoomRun): boolean {
  return outcome.kind === 'shown' && outcome.shown.exit === 'green'
}

/** They are run once more for it. What was changed is hardly called in another way in more files. */
const mostAmong = 2

/** A room with a canary behind tests of this tree that load what has changed, or stand beside it in one file. */
async function roomAmong(making: Making, tree: string): Promise<RoomFor | undefined> {
  const { root, before, now, changed, reports, texts, graph } = making
  const [project, imports] = [await texts(tree), await graph(now)]
  const both = [await texts(before), await texts(now)]
  const mark = `canary${randomBytes(8).toString('hex')}`
  for (const report of reports) {
    const there = report.testFiles.filter((path) => both.every(({ entries }) => entries.has(path)))
    const files = nearest(there, changed.product, imports).slice(0, mostAmong)
    const canary = await canaryAmong({ report, project, root, modules: [], mark }, files)
    if (canary.kind === 'none') continue
    const over = new Map(canary.files.map(({ path, text }) => [path, text]))
    return { ...whole(tree), over, canary, key: [tree, 'among', report.runner, ...files] }
  }
  return undefined
}

/** Those that hold or load what has changed, by how many imports lead there. */
function nearest(tests: readonly string[], product: readonly string[], graph: ImportGraph): readonly string[] {
  const ways = new Map(tests.map((it) => [it, wayTo(it, product, graph)]))
  const way = (test: string) => ways.get(test) ?? Infinity
  return tests.filter((it) => way(it) < Infinity).toSorted((one, other) => way(one) - way(other))
}

/** In a language whose imports are not read, each test may load everything. */
function wayTo(test: string, product: readonly string[], graph: ImportGraph): number {
  const reached = new Set([test])
  let [steps, here] = [0, [test]]
  while (here.length > 0) {
    if (here.some((it) => product.includes(it))) return steps
    here = here.flatMap((it) => importedBy(it, graph)).filter((it) => !reached.has(it))
    for (const path of here) reached.add(path)
    steps += 1
  }
  return graph.files.has(test) ? Infinity : steps
}

function importedBy(path: string, graph: ImportGraph): readonly string[] {
  return graph.imports(path).flatMap(({ to, kind }) => (to.kind === 'file' && kind !== 'type' ? [to.path] : []))
}

/**
 * A check that tells no more than its exit code: each script of it that loads what has changed is one that fails, and
 * each program that is built with it.
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
    const fresh = importedBy(next, graph).filter((it) => !reached.has(it))
    for (const path of fresh) reached.add(path)
    open.push(...fresh)
  }
  return files.filter((it) => reached.has(it) && !tests.includes(it))
}
