import { globMatches, sequenceMatches } from './glob.ts'

/** A path as rules see it. */
export interface KnownPath {
  /** From the root of the file system, if that is known. */
  readonly absolute?: string
  /** From the root of the workspace, if it lies in it. */
  readonly relative?: string
}

/** Where patterns start from. */
export interface Bases {
  readonly home?: string
  /** What to do where a base is not known: `loose` finds a match wherever there could be one. */
  readonly reading: 'strict' | 'loose'
}

/**
 * Whether a pattern covers a path or a folder that it is in. `//x` starts at the root of the file system, `~/x` at home,
 * `/x`, `./x` and `a/x` at the workspace; a name without a slash is found at any depth.
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
