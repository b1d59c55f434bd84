import type { AsideView, ChangedPath, ImportView } from '@loader/session-core/coding'

export type { AsideView, ChangedPath, ImportView, TestKind } from '@loader/session-core/coding'

/** Why a changed path counts as part of the checks and not of the product. */
export type WhyAside =
  | 'protected'
  | 'settings'
  | 'script'
  | 'test'
  | 'snapshot'
  | 'only_tests_import'
  | 'data'
  | 'unnamed'

/** Which side a changed path belongs to. */
export type Side =
  | { readonly side: 'product' }
  /** A product file that also holds tests. */
  | { readonly side: 'mixed' }
  | { readonly side: 'aside'; readonly why: WhyAside }
  /** A file with keys of both sides: these keys belong to the checks, all others to the product. */
  | { readonly side: 'by_key'; readonly asideKeys: readonly string[] }

/** A changed path, with whether it is part of the product or of the checks. */
export type SortedPath = ChangedPath & { readonly lies: Side }

/**
 * Sorts changed paths into those that checks consist of (aside) and the product. Names of folders are ignored. A file
 * of the before tree is sorted by that tree alone, so that the work cannot move it to another side.
 */
export function sortChanges(changes: readonly ChangedPath[], view: AsideView): readonly SortedPath[] {
  const changedPaths = new Set(changes.map(({ path }) => path))
  const isOldTest = (path: string) =>
    view.before.files.has(path) && !changedPaths.has(path) && view.testKind(path) === 'test'
  const sortView = { ...view, isOldTest }
  const sorted = changes.map((changed) => ({ ...changed, lies: sideOf(changed, sortView) }))
  // Where the product changed elsewhere, a new test of a new module must not speak for that change.
  const isElsewhere = sorted.some(({ path, lies }) => lies.side !== 'aside' && isProgramNow(path, view))
  return isElsewhere ? sorted : sorted.map((one) => (isOwnModule(one, sortView) ? { ...one, lies: product } : one))
}

const product: Side = { side: 'product' }

function isProgramNow(path: string, view: AsideView): boolean {
  return view.now.files.has(path) || view.isSource(path)
}

/**
 * A new module that only new tests reach: the work itself, unless it is a helper by its place. No test that was there
 * can pass because of it.
 */
function isOwnModule({ path, change, lies }: SortedPath, view: SortView): boolean {
  if (change !== 'added' || lies.side !== 'aside' || lies.why !== 'only_tests_import') return false
  const { tests, programs } = reachedFrom(path, view.now, view)
  const isNew = (it: string) => !view.before.files.has(it)
  return (
    [...tests, ...programs].every(isNew) && !tests.some((it) => view.leads.has(it)) && !isBeside(tests, programs, view)
  )
}

interface SortView extends AsideView {
  /** A test that is unchanged since before the work. */
  readonly isOldTest: (path: string) => boolean
}

function sideOf(changed: ChangedPath, view: SortView): Side {
  const { path, target, change } = changed
  const own = sideOfPath(path, change === 'added', view)
  if (view.isProtected(path) || changed.keys === undefined) {
    // A link is sorted with its target: if either lies aside, both do.
    const led = target === undefined ? own : sideOfPath(target, change === 'added', view)
    return own.side === 'aside' ? own : led
  }
  const asideKeys = changed.keys.filter(({ steersChecks }) => steersChecks).map(({ key }) => key)
  if (asideKeys.length === 0) return { side: 'product' }
  return asideKeys.length === changed.keys.length
    ? { side: 'aside', why: 'settings' }
    : { side: 'by_key', asideKeys: asideKeys.toSorted() }
}

function sideOfPath(path: string, isNew: boolean, view: SortView): Side {
  const world = isNew ? view.now : view.before
  if (view.isProtected(path)) return aside('protected')
  if (view.settings.has(path) && !view.programs.has(path)) return aside('settings')
  if (view.scripts.has(path) && !view.programs.has(path) && !isNew) return aside('script')
  const kind = view.testKind(path)
  if (kind !== 'none') return kind === 'test' ? aside('test') : { side: 'mixed' }
  if (view.isSnapshot(path)) return aside('snapshot')
  if (onlyTestsImport(path, world, view, isNew)) return aside('only_tests_import')
  if (onlyTestsName(path, world, view)) return aside('data')
  const isProgram = world.files.has(path) || view.isSource(path) || view.programs.has(path)
  return isProgram ? { side: 'product' } : sideOfData(path, world, view)
}

/** Data lies aside if a test uses it, even if the product does too, and if no file uses it. */
function sideOfData(path: string, world: ImportView, view: SortView): Side {
  const users = [...world.importers(path), ...world.namers(path)]
  if (users.length === 0) return aside('unnamed')
  const isTested = users.some(
    (user) => isOfCheck(user, view) || onlyTestsImport(user, world, view, !view.before.files.has(user)),
  )
  return isTested ? aside('data') : { side: 'product' }
}

function aside(why: WhyAside): Side {
  return { side: 'aside', why }
}

/** A test, or a script that is the check. Files that only these use belong to the check. */
function isOfCheck(path: string, view: AsideView): boolean {
  return view.leads.has(path) || view.testKind(path) === 'test'
}

/**
 * Whether every chain of importers ends in a test: at least one file imports it, and each importer is a test or is
 * imported by tests alone. Importers of tests are ignored.
 *
 * In a library without a known entry point, the product too is imported by tests alone. There, an imported file belongs
 * to the tests only if it lies below their common folder and no test is named after it. This tells nothing if a check
 * script lies in the root folder, because then the common folder is the whole project. The same rule holds for a new
 * file that an older test imports: the test was there first and requires it.
 */
function onlyTestsImport(path: string, world: ImportView, view: SortView, isNew: boolean): boolean {
  const isTest = (it: string) => isOfCheck(it, view)
  const { tests, programs } = reachedFrom(path, world, view)
  if (tests.length === 0 || programs.some((it) => view.programs.has(it))) return false
  if (!programs.every((it) => [...importersAbove(it, world, view)].some(isTest))) return false
  const isAskedFor = isNew && tests.some(view.isOldTest)
  if (!isAskedFor && [...view.programs].some((it) => world.files.has(it))) return true
  return isBeside(tests, programs, view)
}

/** Whether no file imports it and only tests name it or its folder, which they share: they load it by a computed name. */
function onlyTestsName(path: string, world: ImportView, view: SortView): boolean {
  if (view.programs.has(path) || world.importers(path).size > 0) return false
  const namers = [...world.namers(path)]
  return namers.length > 0 && namers.every((it) => isOfCheck(it, view)) && isBeside(namers, [path], view)
}

/** A file, and all from which it is imported directly or indirectly. */
function reachedFrom(path: string, world: ImportView, view: AsideView) {
  const above = [path, ...importersAbove(path, world, view)]
  const isTest = (it: string) => isOfCheck(it, view)
  return { tests: above.filter(isTest), programs: above.filter((it) => !isTest(it)) }
}

/** Whether these programs lie below the common folder of these tests, and no test is named after one. */
function isBeside(tests: readonly string[], programs: readonly string[], view: AsideView): boolean {
  const shared = sharedFolder(tests)
  const tells = shared.length > 0 || !tests.some((it) => view.leads.has(it))
  return tells && programs.every((it) => isBelow(it, shared) && !view.hasOwnTest(it))
}

function sharedFolder(paths: readonly string[]): readonly string[] {
  const [first = [], ...others] = paths.map((it) => it.split('/').slice(0, -1))
  const end = first.findIndex((part, index) => others.some((other) => other[index] !== part))
  return end === -1 ? first : first.slice(0, end)
}

function isBelow(path: string, folder: readonly string[]): boolean {
  const parts = path.split('/').slice(0, -1)
  return folder.every((part, index) => parts[index] === part)
}

function importersAbove(path: string, world: ImportView, view: AsideView): ReadonlySet<string> {
  const found = new Set<string>()
  const open = [path]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const importer of world.importers(next)) {
      if (found.has(importer)) continue
      found.add(importer)
      if (!isOfCheck(importer, view)) open.push(importer)
    }
  }
  return found
}
