import { createHash } from 'node:crypto'

/** A blob, a tree or a commit, as git stores them. */
export interface GitObject {
  readonly type: 'blob' | 'tree' | 'commit'
  readonly content: Uint8Array
}

/** The id that git gives to an object. */
export function objectId({ type, content }: GitObject): string {
  return createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex')
}

/** The id that git gives to a blob with this content. */
export function blobId(content: Uint8Array): string {
  return objectId({ type: 'blob', content })
}

/** The id of the empty tree. Git knows it without having stored it. */
export const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/** Larger objects are read by git, which runs beside this process and does not block it. */
export const largestObject = 32 * 1024 * 1024
