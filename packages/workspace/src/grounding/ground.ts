import { readdirSync } from 'node:fs'
import type { Grounding, SeenPath } from '@loader/session-core/coding'
import { resolvePlace } from '../paths/place.ts'
import { installedFolders, isNeverListed } from '../walk/names.ts'
import { candidatesFor } from './candidates.ts'
import { tellingLine } from './telling-line.ts'
import { wordsOfTask } from './words-of-task.ts'

const mostEntries = 6
const mostPaths = 4
const mostCandidates = 4
const mostFacts = 4

/** Which of these paths exist. Paths outside the workspace are not checked. */
export function seenPaths(root: string, paths: readonly string[]): readonly SeenPath[] {
  return paths.filter((path) => path !== '').map((path) => ({ path, exists: placeInside(root, path) === 'there' }))
}

/** A quick look for the files that a task names; the time it takes does not grow with the workspace. */
export async function ground(root: string, task: string): Promise<Grounding> {
  const { paths, certain, keywords } = wordsOfTask(task)
  const referenced = paths.filter((path) => placeInside(root, path) === 'there').slice(0, mostPaths)
  const missing = paths.filter((path) => certain.has(path) && placeInside(root, path) === 'absent').slice(0, mostPaths)
  const pointedTo = await candidatesFor(root, keywords, mostCandidates + mostPaths)
  const candidates = pointedTo.filter((path) => !paths.includes(path)).slice(0, mostCandidates)
  const lines = await Promise.all([...referenced, ...candidates].map((path) => tellingLine(root, path, keywords)))
  const facts = lines.filter((line) => line !== undefined).slice(0, mostFacts)
  return { entries: topEntries(root), referenced, missing, candidates, facts }
}

function placeInside(root: string, path: string): 'there' | 'absent' | 'elsewhere' {
  const place = resolvePlace(root, path.replace(/\/+$/, ''))
  if (place.kind === 'refused' || !place.inside || place.guarded) return 'elsewhere'
  return place.entry === 'absent' ? 'absent' : 'there'
}

/** Folders end in a slash. Hidden folders and folders of dependencies or build output are left out. */
function topEntries(root: string): string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter(({ name }) => !isNeverListed(name) && !name.startsWith('.') && !installedFolders.has(name))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .sort()
    .slice(0, mostEntries)
}
