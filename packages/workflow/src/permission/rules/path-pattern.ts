import { globMatches, sequenceMatches } from './glob.ts'

/** A path as rules see it. */
export interface KnownPath {
  /** From the root of the file system, if known. */
  readonly absolute?: string
  /** From the root of the workspace, if it is inside. */
  readonly relative?: string
}

/** A path of a call, resolved against a base. */
export function knownPath(path: string, base: string | undefined): KnownPath {
  const root = base?.replaceAll('\\', '/')
  const clean = path.replaceAll('\\', '/')
  if (clean.startsWith('~')) return { absolute: clean }
  const plain = resolved(clean)
  if (!plain.startsWith('/') && !/^[A-Za-z]:/.test(plain)) {
    if (plain !== '..' && !plain.startsWith('../')) {
      return { relative: plain, ...(root !== undefined && { absolute: `${root}/${plain}` }) }
    }
    return { absolute: root === undefined ? plain : resolved(`${root}/${plain}`) }
  }
  if (root === undefined || (plain !== root && !plain.startsWith(`${root}/`))) return { absolute: plain }
  return { absolute: plain, relative: plain.slice(root.length + 1) }
}

/** Removes `.`, `..` and doubled slashes, by text alone. */
function resolved(path: string): string {
  const segments: string[] = []
  const isAbsolute = path.startsWith('/')
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment !== '..') segments.push(segment)
    else if (segments.length > 0 && segments.at(-1) !== '..') segments.pop()
    else if (!isAbsolute) segments.push('..')
  }
  return (isAbsolute ? '/' : '') + segments.join('/')
}

/** The folders that patterns are relative to. */
export interface Bases {
  readonly home?: string
  /** How to match if a base is unknown: `loose` matches wherever a match is possible. */
  readonly reading: 'strict' | 'loose'
}

/**
 * Whether a pattern matches a path or one of its parent folders. `//x` starts at the root of the file system, `~/x` at
 * home, `/x`, `./x` and `a/x` at the workspace; a name without a slash matches at any depth.
 */
export function pathMatches(pattern: string, path: KnownPath, bases: Bases): boolean {
  return bases.reading === 'loose'
    ? matches(pattern.toLowerCase(), lower(path), { ...bases, ...(bases.home && { home: bases.home.toLowerCase() }) })
    : matches(pattern, path, bases)
}

function lower({ absolute, relative }: KnownPath): KnownPath {
  return {
    ...(absolute !== undefined && { absolute: absolute.toLowerCase() }),
    ...(relative !== undefined && { relative: relative.toLowerCase() }),
  }
}

function matches(pattern: string, { absolute, relative }: KnownPath, { home, reading }: Bases): boolean {
  const isLoose = reading === 'loose'
  if (pattern.startsWith('//')) return absolute !== undefined && covers(pattern.slice(2), absolute)
  if (pattern.startsWith('~/')) return underHome(pattern.slice(2), absolute, home, isLoose)
  const bare = pattern.replace(/^\.?\//, '')
  const anyDepth = bare === pattern && !/\/./.test(pattern)
  if (relative !== undefined) return covers(anyDepth ? `**/${bare}` : bare, relative)
  return isLoose && absolute !== undefined && covers(`**/${bare}`, absolute)
}

function underHome(pattern: string, absolute: string | undefined, home: string | undefined, isLoose: boolean): boolean {
  if (absolute === undefined) return false
  if (absolute.startsWith('~/')) return covers(pattern, absolute.slice(2))
  if (home !== undefined) return covers(`${home}/${pattern}`, absolute)
  const rest = /^\/(?:root|home\/[^/]+|users\/[^/]+)\/(.*)$/is.exec(absolute)?.[1]
  return isLoose && rest !== undefined && covers(pattern, rest)
}

type Segment = { readonly kind: 'star' } | { readonly kind: 'name'; readonly glob: string }

function covers(pattern: string, path: string): boolean {
  const segments = segmentsOf(pattern).map((text): Segment =>
    text === '**' ? { kind: 'star' } : { kind: 'name', glob: text },
  )
  return sequenceMatches<Segment, string>(
    [...segments, { kind: 'star' }],
    segmentsOf(path),
    (segment, name) => segment.kind === 'name' && globMatches(segment.glob, name),
  )
}

function segmentsOf(path: string): string[] {
  return path.split(/\/+/).filter((segment) => segment !== '' && segment !== '.')
}
