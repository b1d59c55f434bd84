/**
 * Whether a name refers to the folder in any spelling that some file system treats as equal: upper or lower case, with
 * invisible characters (HFS+), trailing dots and streams (Windows), and Windows short names.
 */
export function isLoaderFolder(name: string): boolean {
  const plain = plainName(name)
  return plain === '.loader' || /^loader~\d+$/.test(plain)
}

export function isGitFolder(name: string): boolean {
  const plain = plainName(name)
  return plain === '.git' || /^git~\d+$/.test(plain)
}

const invisible = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

function plainName(name: string): string {
  return name
    .replace(invisible, '')
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '')
    .toLowerCase()
}
