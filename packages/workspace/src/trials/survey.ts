import type {
  AsideView,
  ChangedPath,
  Check,
  ImportView,
  TestKind,
  TreeChange,
  TrialSurvey,
} from '@loader/session-core/coding'
import type { ImportGraph } from '../imports/import-graph.ts'
import { folderOf, joined } from '../imports/project-files.ts'
import type { RunnerReport } from '../runners/runner.ts'
import { isProgramFile, isSnapshotFile, stemOfTest } from '../runners/test-patterns.ts'
import type { TreeTexts } from '../trees/trees-shown.ts'
import { globPattern } from '../runners/glob-pattern.ts'
import { entriesOf } from './entries-of.ts'
import { allBuilt, type FilesOfCheck, filesOfCheck, testKindOf } from './files-of-check.ts'
import { keyedFile } from './keys-of.ts'

/** One of the two trees that are compared, with what imports what in it. */
export interface SurveyedTree {
  readonly texts: TreeTexts
  readonly graph: ImportGraph
}

export interface SurveyRequest {
  readonly check: Pick<Check, 'command' | 'cwd'>
  readonly reports: readonly RunnerReport[]
  readonly before: SurveyedTree
  readonly now: SurveyedTree
  readonly changes: readonly TreeChange[]
  /** Path patterns that the user protects. */
  readonly protect: readonly string[]
}

type Surveyed = Pick<TrialSurvey, 'changes' | 'view' | 'isInBefore' | 'running'>

/** Collects what a check consists of, and what has changed. Sorting the changes is done in workflow. */
export async function survey({ check, reports, before, now, changes, protect }: SurveyRequest): Promise<Surveyed> {
  const [old, fresh] = [await filesOfCheck(check, reports, before.texts), await filesOfCheck(check, reports, now.texts)]
  const [oldEntries, newEntries] = [
    await entriesOf(before.texts, old.ran),
    await entriesOf(now.texts, [...old.ran, ...fresh.ran]),
  ]
  const alone = await entriesOf(before.texts, old.ran, old.commands)
  const ownCheck = new Set([...old.scripts].filter((it) => oldEntries.has(it) && !alone.has(it) && !old.judged.has(it)))
  const isOld = (path: string) => before.texts.entries.has(path)
  // By the makefiles of B, so that the work cannot make its own tests part of the product.
  const { tests: built } = await allBuilt(old.made, now.texts)
  const kinds = new Map<string, TestKind>()
  const testKind = (path: string): TestKind => {
    const known = kinds.get(path)
    if (known !== undefined) return known
    // A file of B is judged by B alone: what the work adds does not change its kind.
    const [files, graph] = isOld(path) ? [old, before.graph] : [fresh, now.graph]
    const all = [...graph.importers(path)]
    const importers = all.length === 0 ? 'none' : all.every((it) => files.isTest(it)) ? 'tests' : 'product'
    const isTest = files.isTest(path) || (!isOld(path) && built.has(path))
    const kind = testKindOf(path, { isTest, reports, importers })
    // What only other forms of the check start is checked by nothing but itself.
    const own = kind === 'none' && ownCheck.has(path) ? 'mixed' : kind
    kinds.set(path, own)
    return own
  }
  const tests = [...new Set([...before.texts.paths, ...now.texts.paths])].filter((it) => testKind(it) === 'test')
  const stems = new Set(tests.flatMap((it) => stemOfTest(it) ?? []))
  const scripts = new Set([...old.scripts, ...fresh.scripts])
  const programs = new Set([
    ...[...oldEntries].filter((it) => !old.plugins.has(it)),
    ...[...newEntries].filter((it) => !isOld(it) && !fresh.plugins.has(it)),
    ...old.judged,
    ...old.built.product,
    ...[...fresh.judged, ...fresh.scripts].filter((it) => !isOld(it) && !isManifest(it)),
  ])
  const view: AsideView = {
    before: withPackages(before, tests),
    now: withPackages(now, tests),
    testKind,
    isSnapshot: isSnapshotFile,
    isSource: isProgramFile,
    hasOwnTest: (path) => stems.has(path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '')),
    settings: new Set([...old.settings, ...fresh.settings]),
    scripts,
    leads: new Set([...old.scripts].filter((it) => !programs.has(it) && !isManifest(it))),
    programs,
    isProtected: protectedBy(protect),
  }
  return {
    view,
    changes: await changedPaths({ before, now, changes }, tests),
    isInBefore: isInBefore(old, fresh, reports, before.texts, tests),
    running: new Set(
      [...fresh.scripts].filter((it) => !isOld(it) && isRun(it) && !isManifest(it) && !fresh.judged.has(it)),
    ),
  }
}

/** Adds the `__init__.py` files of the packages around a Python test: it runs them without importing them. */
function withPackages({ texts, graph }: SurveyedTree, tests: readonly string[]): ImportView {
  const loaders = new Map<string, Set<string>>()
  for (const test of tests.filter((it) => it.endsWith('.py') && texts.entries.has(it))) {
    for (let folder = folderOf(test); folder !== ''; folder = folderOf(folder)) {
      const init = `${folder}/__init__.py`
      if (!texts.entries.has(init)) break
      if (init !== test) loaders.set(init, (loaders.get(init) ?? new Set()).add(test))
    }
  }
  return {
    files: graph.files,
    importers: (path) => new Set([...graph.importers(path), ...(loaders.get(path) ?? [])]),
    namers: (path) => graph.namers(path),
  }
}

/**
 * Whether the check existed in B: what it leads to was there and, for a test runner, at least one of its tests. Only
 * B's own scripts count: one that leads elsewhere now existed all the same.
 */
function isInBefore(
  old: FilesOfCheck,
  fresh: FilesOfCheck,
  reports: readonly RunnerReport[],
  before: TreeTexts,
  tests: readonly string[],
): boolean {
  const hasTests = reports.some(({ runner }) => runner !== 'tsc' && runner !== 'eslint')
  // A file that it only examines may be new: whether it exists is what the check is about.
  const wasThere = old.leads || [...fresh.scripts].filter(isRun).every((it) => old.scripts.has(it))
  // Tests inside product files have no file of their own.
  const mayBeWithin = reports.some(({ runner }) => runner === 'cargo test')
  return wasThere && (!hasTests || mayBeWithin || tests.some((it) => before.entries.has(it)))
}

function isManifest(path: string): boolean {
  return /(^|\/)(package\.json|(GNU)?[Mm]akefile)$/.test(path)
}

function isRun(path: string): boolean {
  return isProgramFile(path) || isManifest(path) || /\.(?:[bcz]?a?sh|fish)$|(^|\/)[^./]+$/.test(path)
}

async function changedPaths(
  { before, now, changes }: Pick<SurveyRequest, 'before' | 'now' | 'changes'>,
  tests: readonly string[],
): Promise<readonly ChangedPath[]> {
  const all = await Promise.all(changes.map((change) => changedPath(change, before.texts, now.texts)))
  const isChanged = new Set(changes.map(({ path }) => path))
  const unchanged = tests.filter((it) => !isChanged.has(it))
  if (!areLedElsewhere(unchanged, before, now)) return all
  return all.map((one) =>
    one.keys === undefined
      ? one
      : { ...one, keys: one.keys.map((it) => ({ ...it, steersChecks: it.steersChecks || resolving.has(it.key) })) },
  )
}

/** Keys of a manifest that decide which file a name refers to. */
const resolving = new Set(['imports', 'exports', 'main', 'module', 'browser', 'workspaces'])

/** Whether an unchanged test no longer loads an existing helper that only tests used. */
function areLedElsewhere(tests: readonly string[], before: SurveyedTree, now: SurveyedTree): boolean {
  const isTest = new Set(tests)
  const targets = ({ graph }: SurveyedTree, test: string) =>
    graph.imports(test).flatMap(({ to }) => (to.kind === 'file' ? [to.path] : []))
  const isHelper = (path: string) => [...before.graph.importers(path)].every((it) => isTest.has(it))
  return tests.some((test) => {
    const present = new Set(targets(now, test))
    return targets(before, test).some((it) => !present.has(it) && now.texts.entries.has(it) && isHelper(it))
  })
}

async function changedPath({ path, change }: TreeChange, before: TreeTexts, now: TreeTexts): Promise<ChangedPath> {
  const kind = change === 'added' || change === 'deleted' ? change : 'modified'
  const target = await targetOf(path, kind === 'deleted' ? before : now)
  const keyed = kind === 'modified' ? keyedFile(path) : undefined
  const [one, other] = keyed === undefined ? [] : [await before.text(path), await now.text(path)]
  const keys = one === undefined || other === undefined ? undefined : keyed?.differing(one, other)
  return { path, change: kind, ...(target !== undefined && { target }), ...(keys !== undefined && { keys }) }
}

async function targetOf(path: string, { sources }: TreeTexts): Promise<string | undefined> {
  const link = sources.find((it) => it.path === path)?.link
  return link === undefined || link.startsWith('/') ? undefined : joined(folderOf(path), link)
}

function protectedBy(patterns: readonly string[]): (path: string) => boolean {
  const all = patterns.flatMap((it) => globPattern(it.endsWith('/') ? `${it}**` : it) ?? [])
  return (path) => all.some((it) => it.test(path)) || patterns.some((it) => path === it || path.startsWith(`${it}/`))
}
