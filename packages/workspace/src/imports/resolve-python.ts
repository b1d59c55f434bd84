import type { PythonImport } from './file-reading.ts'
import { inFolder } from './manifests.ts'
import { type ProjectFiles, ancestors, folderOf } from './project-files.ts'
import type { Resolution } from './resolution.ts'

/** Files that mark a folder as a root of Python imports. */
const rootMarks = ['pyproject.toml', 'setup.py', 'setup.cfg', 'pytest.ini', 'tox.ini']

export interface PythonProject {
  readonly files: ProjectFiles
  /** Folders with such a mark, those nearest to the repository root first. */
  readonly roots: readonly string[]
  /** Folders with Python files in them or below. */
  readonly folders: ReadonlySet<string>
}

export function pythonProject(files: ProjectFiles): PythonProject {
  const roots = new Set<string>()
  const folders = new Set<string>()
  for (const path of files) {
    const folder = folderOf(path)
    if (rootMarks.includes(path.slice(folder === '' ? 0 : folder.length + 1))) roots.add(folder)
    if (!/\.pyi?$/.test(path)) continue
    for (const above of ancestors(folder)) {
      if (folders.has(above)) break
      folders.add(above)
    }
  }
  return { files, folders, roots: [...roots].toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1)) }
}

/** The files that an import runs, including the `__init__.py` files of the packages on its path. */
export function resolvePython(project: PythonProject, from: string, one: PythonImport): Resolution {
  const path = one.module === '' ? [] : one.module.split('.')
  if (one.level > 0) {
    const folder = ancestors(folderOf(from))[one.level - 1]
    return folder === undefined
      ? { files: [], doubt: 'missing' }
      : follow(project, packageAt(project, folder), path, one)
  }
  const [top = '', ...rest] = path
  for (const roots of [rootsAbove(project, from), rootsElsewhere(project)]) {
    const start = topOf(project, roots, top)
    if (start === 'ambiguous') return { files: [], package: top, doubt: 'ambiguous' }
    if (start === undefined) continue
    const resolution = follow(project, start, rest, one)
    // An installed package takes precedence over a folder without `__init__.py`.
    if (resolution.files.length > 0 || start.kind !== 'namespace') return resolution
  }
  return { files: [], package: top }
}

type Place =
  | { readonly kind: 'package'; readonly file: string; readonly folder: string }
  | { readonly kind: 'module'; readonly file: string }
  | { readonly kind: 'namespace'; readonly folders: readonly string[] }

function follow(project: PythonProject, start: Place, path: readonly string[], one: PythonImport): Resolution {
  const files: string[] = []
  let place = start
  for (const name of path) {
    if (place.kind !== 'namespace') files.push(place.file)
    const next = step(project, place, name)
    if (next === undefined) return { files, doubt: 'missing' }
    place = next
  }
  if (place.kind !== 'namespace') files.push(place.file)
  const end = place
  const below = one.names.map((it) => step(project, end, it)).filter((it) => it !== undefined)
  files.push(...below.flatMap((it) => (it.kind === 'namespace' ? [] : [it.file])))
  return files.length > 0 || end.kind !== 'namespace' ? { files } : { files, doubt: 'missing' }
}

function step(project: PythonProject, place: Place, name: string): Place | undefined {
  switch (place.kind) {
    case 'module':
      return undefined
    case 'package':
      return childOf(project, [place.folder], name)
    case 'namespace':
      return childOf(project, place.folders, name)
    default:
      return place satisfies never
  }
}

/**
 * Python's own order: in each folder a package before a module; folders without `__init__.py` only if neither exists.
 */
function childOf(project: PythonProject, folders: readonly string[], name: string): Place | undefined {
  const bare: string[] = []
  for (const folder of folders) {
    const inside = inFolder(folder, name)
    const place = packageAt(project, inside)
    if (place.kind !== 'namespace') return place
    const file = sourceAt(project, inside)
    if (file !== undefined) return { kind: 'module', file }
    const real = project.files.folder(inside)
    if (real !== undefined && project.folders.has(real)) bare.push(real)
  }
  return bare.length === 0 ? undefined : { kind: 'namespace', folders: bare }
}

function packageAt(project: PythonProject, folder: string): Place {
  const file = sourceAt(project, inFolder(folder, '__init__'))
  return file === undefined
    ? { kind: 'namespace', folders: [folder] }
    : { kind: 'package', file, folder: folderOf(file) }
}

function sourceAt({ files }: PythonProject, path: string): string | undefined {
  return files.file(`${path}.py`) ?? files.file(`${path}.pyi`)
}

/** The first of the folders that contains the name, as on Python's search path. */
function topOf(
  project: PythonProject,
  roots: readonly (readonly string[])[],
  name: string,
): Place | 'ambiguous' | undefined {
  if (name === '') return undefined
  const found = roots.map((it) => childOf(project, it, name)).filter((it) => it !== undefined)
  const firm = found.filter((it) => it.kind !== 'namespace')
  if (firm.length > 1) return 'ambiguous'
  return firm[0] ?? found[0]
}

/**
 * The folder that holds a script, a test or its outermost package, the projects above it, and the folders above it from
 * which pytest loads a `conftest.py`.
 */
function rootsAbove({ files, roots }: PythonProject, from: string): readonly (readonly string[])[] {
  const above = ancestors(folderOf(from))
  const has = (folder: string, name: string) => files.file(inFolder(folder, name)) !== undefined
  const base = above.find((it) => !has(it, '__init__.py')) ?? ''
  const isRoot = (it: string) => it === '' || roots.includes(it) || (has(it, 'conftest.py') && !has(it, '__init__.py'))
  const projects = above.filter(isRoot)
  return [[base, ...projects.flatMap((it) => [inFolder(it, 'src'), it])]]
}

/** The other project roots of the repository. Which of them are installed, and in which order, is not known. */
function rootsElsewhere({ roots }: PythonProject): readonly (readonly string[])[] {
  return roots.map((it) => [inFolder(it, 'src'), it])
}
