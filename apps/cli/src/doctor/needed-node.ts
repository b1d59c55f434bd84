// Loaded by what is started, on any Node: it must use nothing but the language.

/** The oldest Node that the command runs on, by its library for the terminal. */
const oldest = [22, 19] as const

/** What is wrong with this version of Node; undefined if nothing is. */
export function wrongNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return undefined
  return `${version} is too old: Loader needs Node ${oldest.join('.')} or newer. Get it from https://nodejs.org`
}
