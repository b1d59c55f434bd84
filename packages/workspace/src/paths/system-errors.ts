/** The code of an error of the operating system, such as ENOENT. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

const meanings: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EDQUOT: 'the disk quota is used up',
  EIO: 'the disk reported an error',
  EISDIR: 'it is a folder',
  ELOOP: 'a symbolic link stands where none was before, or links lead in a circle',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'the name is too long',
  ENFILE: 'too many files are open',
  ENOENT: 'it is not there',
  ENOSPC: 'there is no space left on the disk',
  ENOTDIR: 'part of the path is not a folder',
  EPERM: 'the operation is not permitted',
  EROFS: 'the file system is read-only',
  ETXTBSY: 'it is a program that is running',
}

/** The meaning of a system error, in words for people. */
export function meaningOf(error: unknown): string {
  const code = codeOf(error)
  if (code === undefined) return error instanceof Error ? error.message : String(error)
  return meanings[code] ?? code
}
