import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { isWithin } from '../paths/place.ts'
import { codeOf } from '../paths/system-errors.ts'
import type { ChildVariables } from './child-variables.ts'

/**
 * The path of a program that we start ourselves. Package runners put folders of the project on the PATH, where a
 * stranger may have left their own `git`: programs in the workspace and relative entries of the PATH are skipped.
 */
export function programOnPath(name: string, variables: ChildVariables, workspace: string): string | undefined {
  const folders = (variables['PATH'] ?? variables['Path'] ?? '').split(delimiter)
  const names = process.platform === 'win32' ? [`${name}.exe`] : [name]
  return folders
    .filter((folder) => isAbsolute(folder))
    .flatMap((folder) => names.map((each) => join(folder, each)))
    .find((path) => isProgramOutside(path, workspace))
}

function isProgramOutside(path: string, workspace: string): boolean {
  if (isWithin(workspace, path)) return false
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile() && !isWithin(workspace, realpathSync(path))
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return false
  }
}
