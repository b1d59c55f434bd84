/** The name that a program may be known by, wherever it lies: for rules that rather meet too much. */
export function programOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Programs in the folders of the system go by their name. One of the project is not the one that a rule names. */
export function systemProgram(path: string): string {
  return /^\/(?:usr\/(?:local\/)?)?s?bin\/[^/]+$|^\/opt\/homebrew\/bin\/[^/]+$/.test(path) ? programOf(path) : path
}
