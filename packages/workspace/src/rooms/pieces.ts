import { isUtf8 } from 'node:buffer'
import type { LeftInPlace } from '../trees/trees-shown.ts'
import { packageFolders } from '../walk/names.ts'
import { rawBytes } from '../trees/raw-bytes.ts'
import type { RawPath } from '../trees/raw-path.ts'

/** An entry of the workspace that is in no tree but in a room. Paths are relative to the workspace. */
export interface Piece {
  /** `folder` and `file` are ignored entries; the last three are kinds that trees cannot hold. */
  readonly kind: 'packages' | 'folder' | 'file' | 'repository' | 'large' | 'empty'
  readonly path: string
}

/** Caches of programs. They identify files by times, which differ in a room. */
const caches = new Set(['.mypy_cache', '.pytest_cache', '.ruff_cache', '__pycache__'])

/** The pieces for a room with these of the ignored files and folders. */
export function piecesOf(left: LeftInPlace, ignored: ReadonlySet<string>): readonly Piece[] {
  const piece = (kind: Piece['kind'], paths: readonly RawPath[]) =>
    paths.flatMap(textOf).map((path) => ({ kind, path }))
  return [
    ...ignoredPieces(left).filter(({ kind, path }) => kind === 'packages' || ignored.has(path)),
    ...piece('repository', left.nested),
    ...piece('large', left.large),
    ...piece('empty', left.empty),
  ]
}

/** Ignored files and folders, and installed packages, without the caches of programs. */
export function ignoredPieces(left: LeftInPlace): readonly Piece[] {
  return left.ignored.flatMap((raw) =>
    textOf(raw).flatMap((path): Piece[] => {
      const name = nameOf(path)
      if (caches.has(name)) return []
      if (packageFolders.has(name) || path.endsWith('vendor/bundle')) return [{ kind: 'packages', path }]
      return [{ kind: raw.endsWith('/') ? 'folder' : 'file', path }]
    }),
  )
}

/** The ignored caches of programs. */
export function cachePieces(left: LeftInPlace): readonly string[] {
  return left.ignored.flatMap(textOf).filter((path) => caches.has(nameOf(path)))
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Empty for a name that is not valid UTF-8. */
function textOf(raw: RawPath): readonly string[] {
  const bytes = rawBytes(raw.replace(/\/$/, ''))
  return isUtf8(bytes) ? [bytes.toString('utf8')] : []
}
