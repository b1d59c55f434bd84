/** Advice for errors of the system, whose own messages only say what failed and where. */
const advice: Readonly<Record<string, string>> = {
  EACCES: 'Check the permissions.',
  EPERM: 'Check the permissions.',
  EROFS: 'The file system is read-only.',
  ENOSPC: 'Make room, and try again.',
  EDQUOT: 'Make room, and try again.',
  ENOTDIR: 'A part of that path is not a folder.',
  EISDIR: 'It is a folder: name a file.',
}

/** The message of an error, with advice for errors of the system. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const more = 'syscall' in error && 'code' in error ? advice[String(error.code)] : undefined
  return more === undefined ? error.message : `${error.message}. ${more}`
}
