import { folderOf, IgnoreRules, installedFolders, resolvePlace } from '@loader/workspace'

/** The start of a search: a folder of the workspace, or one file. */
export interface SearchPlace {
  /** Real path. */
  readonly path: string
  readonly inside: boolean
  /** Relative to the workspace; empty for the workspace itself. */
  readonly relative: string
  readonly entry: 'file' | 'folder'
}

/** The place, or why it cannot be searched. */
export function searchPlace(root: string, path: string): SearchPlace | string {
  const place = resolvePlace(root, path)
  if (place.kind === 'refused') return place.why
  if (!place.inside) return `${path} lies outside the workspace, where nothing is searched.`
  if (place.guarded) return `${path} belongs to the insides of git, which are not searched.`
  if (place.entry === 'absent') return `There is no ${place.shown}.`
  const relative = place.shown === '.' ? '' : place.shown
  return { path: place.path, inside: place.inside, relative, entry: place.entry }
}

/** What a search leaves out. A search that starts in an ignored folder includes its files. */
export interface Scope {
  readonly rules: IgnoreRules | undefined
  readonly skipped: ReadonlySet<string>
}

export function scopeOf(top: string, { relative, entry }: SearchPlace): Scope {
  const rules = new IgnoreRules(top)
  const folder = entry === 'folder' ? relative : folderOf(relative)
  const names = new Set(folder.split('/'))
  const isInstalled = [...names].some((name) => installedFolders.has(name))
  return {
    rules: isInstalled || rules.ignoresFolder(folder) ? undefined : rules,
    skipped: isInstalled ? new Set() : installedFolders,
  }
}
