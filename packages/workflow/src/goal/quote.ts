/** A path as one word of a shell command that no program can take for an option. */
export function quoted(path: string): string {
  const safe = path.startsWith('-') ? `./${path}` : path
  return /^[\w@%+=:,./-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", String.raw`'\''`)}'`
}
