/** The base name of a program in any folder, for rules that must rather match too much. */
export function programOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/**
 * Programs in system folders are known by their base name. A program of the project must not match a rule for one of
 * them.
 */
export function systemProgram(path: string): string {
  return /^\/(?:usr\/(?:local\/)?)?s?bin\/[^/]+$|^\/opt\/homebrew\/bin\/[^/]+$/.test(path) ? programOf(path) : path
}
