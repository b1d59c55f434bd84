import type { Observation, WrittenFile } from '@loader/session-core/coding'
import { contentHash, readFileNow, resolvePlace } from '@loader/workspace'

/**
 * The hash of what each file holds now, null when it is not there. What is no regular file any more, or lies elsewhere
 * behind a link, has a word instead, which equals no hash.
 */
export async function observeFiles(root: string, intent: readonly WrittenFile[]): Promise<Observation> {
  const files = []
  for (const { path } of intent) files.push({ path, now: await contentAt(root, path) })
  return { files }
}

async function contentAt(root: string, path: string): Promise<string | null> {
  const place = resolvePlace(root, path)
  if (place.kind === 'refused') return 'unreadable'
  if (place.path !== path) return 'elsewhere'
  if (place.entry === 'folder') return 'folder'
  const look = await readFileNow(path)
  if (look.kind === 'absent') return null
  return look.kind === 'file' ? contentHash(look.file.bytes) : 'unreadable'
}
