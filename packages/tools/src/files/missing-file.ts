import { readdirSync } from 'node:fs'
import { basename, dirname, relative, sep } from 'node:path'
import { codeOf, isLoaderFolder, type Place, realRoot } from '@loader/workspace'
import { likeness } from './likeness.ts'

const mostNames = 20

/** Says that a file does not exist, and lists the nearest existing folder, the most similar names first. */
export function missingFile(root: string, place: Place): string {
  const message = `There is no file ${place.shown}.`
  if (!place.inside) return message
  const top = realRoot(root)
  for (let folder = dirname(place.path); folder.length >= top.length; folder = dirname(folder)) {
    const names = namesIn(folder)
    if (names !== undefined) return `${message} ${listing(top, folder, wantedBelow(folder, place.path), names)}`
  }
  return message
}

/** The first missing part of the path. */
function wantedBelow(folder: string, path: string): string {
  return relative(folder, path).split(sep)[0] ?? basename(path)
}

function listing(root: string, folder: string, wanted: string, names: readonly string[]): string {
  const shown = relative(root, folder).split(sep).join('/') || 'the workspace'
  if (names.length === 0) return `There is nothing in ${shown}.`
  const scored = names
    .map((name) => ({ name, score: likeness(name.toLowerCase(), wanted.toLowerCase()) }))
    .sort((one, other) => other.score - one.score)
  const listed = scored.slice(0, mostNames).map(({ name }) => name)
  const more = names.length > mostNames ? `, and ${names.length - mostNames} more` : ''
  return `In ${shown} there are: ${listed.join(', ')}${more}.`
}

function namesIn(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !isLoaderFolder(entry.name))
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .sort()
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(codeOf(error) ?? '')) return undefined
    throw error
  }
}
