import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { isWithin } from '@loader/workspace'
import type { Given } from '../arguments/given.ts'
import { UsageError } from '../arguments/usage-error.ts'
import type { Places } from '../places/places.ts'

/** The real paths of the folders of --add-dir. Those in the project are part of it anyway. */
export function addedFolders(given: Given, { folder, root }: Pick<Places, 'folder' | 'root'>): readonly string[] {
  const folders = given.values('add-dir').map((written) => realFolder(resolve(folder, written), written))
  const around = folders.find((one) => one !== root && isWithin(one, root))
  if (around !== undefined) {
    throw new UsageError(`--add-dir ${around} has the project in it: nothing around the project can be opened.`, '')
  }
  return [...new Set(folders.filter((one) => !isWithin(root, one)))]
}

function realFolder(path: string, written: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return realpathSync(path)
  throw new UsageError(`--add-dir ${written}: there is no such folder.`, '')
}

/** What people must know: trees have the project alone. */
export function addedNote(folders: readonly string[]): string {
  return `Changes in ${folders.join(', ')} cannot be undone by loader, and no evidence covers them: both know the project only.`
}

/** What the model is told. */
export function addedInstructions(folders: readonly string[]): { readonly path: string; readonly text: string } {
  const lines = ['Besides the project folder, these folders belong to the work; files in them can be changed:']
  return { path: 'Folders', text: [...lines, ...folders.map((one) => `- ${one}`)].join('\n') }
}
