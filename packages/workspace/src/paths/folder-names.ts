/**
 * Folders are recognised by name in every spelling that some file system takes for the same: in either case, with the
 * invisible characters that HFS+ ignores, the trailing dots and streams that Windows ignores, and its short names.
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
