import { IgnoreRules } from '../walk/ignore-rules.ts'
import { installedFolders, isBuildOutput } from '../walk/names.ts'
import { walkFolders, type WalkReport, within } from '../walk/walk-folders.ts'
import { textFile } from './words-of-task.ts'

const mostVisited = 400

/** Files whose names match the words, best first. At most a few hundred are opened. */
export async function candidatesFor(root: string, keywords: readonly string[], most: number): Promise<string[]> {
  const scored: { readonly path: string; readonly score: number }[] = []
  const report: WalkReport = { entries: 0, unreadable: [] }
  const rules = new IgnoreRules(root)
  const options = {
    root,
    start: '',
    rules,
    skipped: installedFolders,
    isOutput: isBuildOutput,
    mostEntries: mostVisited,
  }
  let visited = 0
  for await (const { path, files } of walkFolders(options, report)) {
    if (isHidden(path)) continue
    for (const name of files.slice(0, mostVisited - visited)) {
      visited += 1
      const file = within(path, name)
      const score = textFile.test(file) && !isHidden(file) ? scoreOf(file, keywords) : 0
      if (score > 0) scored.push({ path: file, score })
    }
    if (visited >= mostVisited) break
  }
  const best = scored.toSorted((one, other) => other.score - one.score || one.path.length - other.path.length)
  return best.slice(0, most).map(({ path }) => path)
}

function isHidden(path: string): boolean {
  return path.split('/').some((name) => name.startsWith('.'))
}

/** A word in the name of the file counts more than one on the way to it, and a whole one more than a part. */
function scoreOf(path: string, keywords: readonly string[]): number {
  const parts = path
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split('/')
  const name = wordsIn((parts.at(-1) ?? '').replace(/\.\w+$/, ''))
  const way = wordsIn(parts.slice(0, -1).join(' '))
  return keywords.reduce((sum, word) => sum + 3 * likeness(word, name) + likeness(word, way), 0)
}

function wordsIn(text: string): string[] {
  return text.match(/[a-z0-9]+/g) ?? []
}

function likeness(word: string, others: readonly string[]): number {
  if (others.includes(word)) return 2
  return others.some((other) => isPartOf(word, other) || isPartOf(other, word)) ? 1 : 0
}

function isPartOf(part: string, whole: string): boolean {
  return part.length > 3 && whole.startsWith(part)
}
