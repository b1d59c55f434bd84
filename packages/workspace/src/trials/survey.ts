import type { AsideView, ChangedPath, Check, TestKind, TreeChange, TrialSurvey } from '@loader/session-core/coding'
import type { ImportGraph } from '../imports/import-graph.ts'
import { folderOf, joined } from '../imports/project-files.ts'
import type { RunnerReport } from '../runners/runner.ts'
import { isProgramFile, isSnapshotFile, stemOfTest } from '../runners/test-patterns.ts'
import type { TreeTexts } from '../trees/trees-shown.ts'
import { globPattern } from '../runners/glob-pattern.ts'
import { entriesOf } from './entries-of.ts'
import { type FilesOfCheck, filesOfCheck, testKindOf } from './files-of-check.ts'
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
  /** Patterns of paths that the user protects. */
  readonly protect: readonly string[]
}

type Surveyed = Pick<TrialSurvey, 'changes' | 'view' | 'isInBefore'>

/** What a check is made of, and what has changed. It sorts nothing: that is decided elsewhere. */
export async function survey({ check, reports, before, now, changes, protect }: SurveyRequest): Promise<Surveyed> {
  const [old, fresh] = [await filesOfCheck(check, reports, before.texts), await filesOfCheck(check, reports, now.texts)]
  const [oldEntries, newEntries] = [await entriesOf(before.texts), await entriesOf(now.texts)]
  const isOld = (path: string) => before.texts.entries.has(path)
  const kinds = new Map<string, TestKind>()
  const testKind = (path: string): TestKind => {
    const known = kinds.get(path)
    if (known !== undefined) return known
    // A file of B is judged by B alone: what the work adds moves nothing.
    const [files, graph] = isOld(path) ? [old, before.graph] : [fresh, now.graph]
    const importers = [...graph.importers(path)].filter((it) => !files.isTest(it))
    const kind = testKindOf(path, { isTest: files.isTest(path), reports, isImported: importers.length > 0 })
    kinds.set(path, kind)
    return kind
  }
  const tests = [...new Set([...before.texts.paths, ...now.texts.paths])].filter((it) => testKind(it) === 'test')
  const stems = new Set(tests.flatMap((it) => stemOfTest(it) ?? []))
  const view: AsideView = {
    before: before.graph,
    now: now.graph,
    testKind,
    isSnapshot: isSnapshotFile,
    isSource: isProgramFile,
    hasOwnTest: (path) => stems.has(path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '')),
    settings: new Set([...old.settings, ...fresh.settings]),
    scripts: new Set([...old.scripts, ...fresh.scripts]),
    programs: new Set([
      ...oldEntries,
      ...[...newEntries].filter((it) => !isOld(it)),
      ...old.judged,
      ...[...fresh.judged, ...fresh.scripts].filter((it) => !isOld(it) && !isManifest(it)),
    ]),
    isProtected: protectedBy(protect),
  }
  return {
    view,
    changes: await Promise.all(changes.map((change) => changedPath(change, before.texts, now.texts))),
    isInBefore: isInBefore(old, fresh, reports, before.texts, tests),
  }
}

/** Its scripts are there, and so is at least one of its tests, where it is a runner of tests. */
function isInBefore(
  old: FilesOfCheck,
  fresh: FilesOfCheck,
  reports: readonly RunnerReport[],
  before: TreeTexts,
  tests: readonly string[],
): boolean {
  const hasTests = reports.some(({ runner }) => runner !== 'tsc' && runner !== 'eslint')
  // What it only looks at may be new: that it is there is what the check is about.
  const wasThere = [...fresh.scripts].filter(isRun).every((it) => old.scripts.has(it))
  // Tests within product files have no file of their own.
  const mayBeWithin = reports.some(({ runner }) => runner === 'cargo test')
  return wasThere && (!hasTests || mayBeWithin || tests.some((it) => before.entries.has(it)))
}

function isManifest(path: string): boolean {
  return /(^|\/)(package\.json|(GNU)?[Mm]akefile)$/.test(path)
}

function isRun(path: string): boolean {
  return isProgramFile(path) || isManifest(path) || /\.(?:[bcz]?a?sh|fish)$|(^|\/)[^./]+$/.test(path)
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
