/** What may help where the system refuses something. Its own words say what and where, and no more. */
const advice: Readonly<Record<string, string>> = {
  EACCES: 'Check the permissions.',
  EPERM: 'Check the permissions.',
  EROFS: 'The file system is read-only.',
  ENOSPC: 'Make room, and try again.',
  EDQUOT: 'Make room, and try again.',
  ENOTDIR: 'Something on the way there is no folder.',
  EISDIR: 'It is a folder: name a file.',
}

/** An error in words. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const more = 'syscall' in error && 'code' in error ? advice[String(error.code)] : undefined
  return more === undefined ? error.message : `${error.message}. ${more}`
}
