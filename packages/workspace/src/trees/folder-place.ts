import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { FolderPlace } from '@loader/session-core/coding'
import * as z from 'zod'
import { isSameFolder, placeFor, ProjectPlace } from '../projects/project-place.ts'
import { keepText, textOf } from './side-repository.ts'

const KeptPlace = z.object({ id: z.string(), at: ProjectPlace })

/** Which folder of which machine this is. A folder that was removed and made again is another one. */
export function folderPlace(trees: string, root: string): FolderPlace {
  const path = join(trees, 'place.json')
  const here = placeFor(root)
  const known = knownPlace(textOf(path))
  const isKnown = known !== undefined && (isSameFolder(known.at, here) || hasNoIdentity(known.at, here))
  const id = isKnown ? known.id : randomUUID()
  if (!isKnown) keepText(path, JSON.stringify({ id, at: here }))
  return { id, root: here.root, machine: machineName() }
}

/** For people, and equal where a check can be expected to show the same. */
function machineName(): string {
  return `${process.platform} ${process.arch}, node ${process.versions.node.split('.')[0] ?? ''}`
}

/** Where the file system does not say when a folder was made, its path has to do. */
function hasNoIdentity(one: ProjectPlace, other: ProjectPlace): boolean {
  return (one.born === undefined || other.born === undefined) && one.root === other.root
}

function knownPlace(text: string | undefined): z.infer<typeof KeptPlace> | undefined {
  if (text === undefined) return undefined
  try {
    return KeptPlace.safeParse(JSON.parse(text)).data
  } catch (error) {
    // It was damaged. The folder then counts as another one, whose files are compared.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
