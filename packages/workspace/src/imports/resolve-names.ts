import type { FileReading, NameText } from './file-reading.ts'
import { ancestors, folderOf, joined } from './project-files.ts'
import { type JavaScriptProject, moduleAt } from './resolve-javascript.ts'

/** A file or folder that a file names in fixed text. */
export interface NamedPath {
  readonly path: string
  readonly kind: 'file' | 'folder'
  /** `word`: named by a bare word, which is more likely to mean something else. */
  readonly as: 'path' | 'word'
  readonly line: number
}

/**
 * Paths in a program are relative to its working directory, which is unknown. So a text counts if it matches a path in
 * the folder of the file or in any folder above.
 */
export function resolveNames(project: JavaScriptProject, from: string, reading: FileReading): readonly NamedPath[] {
  const found = new Map<string, NamedPath>()
  for (const name of reading.names) {
    for (const one of placesOf(project, from, name, reading.language)) {
      const known = found.get(one.path)
      if (one.path !== from && (known === undefined || known.as === 'word')) found.set(one.path, one)
    }
  }
  return [...found.values()]
}

function placesOf(
  project: JavaScriptProject,
  from: string,
  { text, as, line }: NameText,
  language: FileReading['language'],
): readonly NamedPath[] {
  const path = fixedPart(text)
  if (/^[./]*$/.test(path)) return []
  const last = path.replace(/\/+$/, '').replace(/.*\//s, '')
  const isThere = last === '..' || last === '.' || project.files.hasName(last)
  const places = (isThere ? ancestors(folderOf(from)) : []).flatMap((folder): NamedPath[] => {
    const place = joined(folder, path)
    const file = place === undefined ? undefined : project.files.file(place)
    if (file !== undefined) return [{ path: file, kind: 'file', as, line }]
    const inside = place === undefined ? undefined : project.files.folder(place)
    return inside === undefined || inside === '' ? [] : [{ path: inside, kind: 'folder', as, line }]
  })
  if (places.some((it) => it.kind === 'file') || language !== 'javascript' || !/^\.{1,2}\//.test(path)) return places
  // `vi.mock('./clock')` names a module.
  const module = moduleAt(project, joined(folderOf(from), path), from)
  return module === undefined ? places : [...places, { path: module, kind: 'file', as, line }]
}

/** The path up to the first part with a wildcard. */
function fixedPart(text: string): string {
  const parts = text.replace(/^\/+/, '').split('/')
  const wild = parts.findIndex((it) => /[*?{]/.test(it))
  return (wild === -1 ? parts : parts.slice(0, wild)).join('/')
}

/** The files that name each path. A file that names a folder also names everything in it. */
export class Namers {
  readonly #byPath = new Map<string, Set<string>>()

  add(from: string, names: readonly NamedPath[]): void {
    for (const { path, as } of names) {
      if (as === 'word') continue
      const known = this.#byPath.get(path)
      if (known === undefined) this.#byPath.set(path, new Set([from]))
      else known.add(from)
    }
  }

  of(path: string): ReadonlySet<string> {
    return new Set(ancestors(path).flatMap((it) => [...(this.#byPath.get(it) ?? [])]))
  }
}
