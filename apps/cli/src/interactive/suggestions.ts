import {
  type AutocompleteItem,
  type AutocompleteProvider,
  type AutocompleteSuggestions,
  fuzzyMatch,
} from '@earendil-works/pi-tui'
import { inOneLine } from '@loader/readings'
import type { ListedPaths } from './project-paths.ts'
import { completeSlash, slashCommands, type SlashName } from './slash-commands.ts'

const mostFiles = 20

/** A command that the user or the project has written. */
export interface NamedCommand {
  readonly name: string
  readonly description: string
}

/** What may be meant by what stands before the cursor: a command, or behind an @ a file. */
export class Suggestions implements AutocompleteProvider {
  readonly #paths: () => Promise<ListedPaths>
  readonly #own: () => readonly NamedCommand[]

  /** Both are asked when something is typed, because files and commands come and go. */
  constructor(paths: () => Promise<ListedPaths>, own: () => readonly NamedCommand[]) {
    this.#paths = paths
    this.#own = own
  }

  async getSuggestions(lines: string[], line: number, column: number): Promise<AutocompleteSuggestions | null> {
    const before = (lines[line] ?? '').slice(0, column)
    const file = /(?:^|\s)(@[^\s@]*)$/.exec(before)?.[1]
    if (file !== undefined) return suggested(nearPaths(await this.#paths(), file.slice(1)).map(fileItem), file)
    return suggested(line > 0 ? [] : [...completeSlash(before).map(slashItem), ...this.#ownItems(before)], before)
  }

  #ownItems(before: string): AutocompleteItem[] {
    if (!/^\/[\w:.-]*$/.test(before)) return []
    return this.#own()
      .filter(({ name }) => `/${name}`.startsWith(before))
      .map(({ name, description }) => ({ value: `/${name}`, label: `/${name}`, description: inOneLine(description) }))
  }

  applyCompletion(lines: string[], line: number, column: number, item: AutocompleteItem, prefix: string) {
    const text = lines[line] ?? ''
    const begin = text.slice(0, column - prefix.length) + item.value
    // Within a folder one may go on.
    const gap = item.value.endsWith('/') ? '' : ' '
    return {
      lines: lines.with(line, begin + gap + text.slice(column).trimStart()),
      cursorLine: line,
      cursorCol: begin.length + gap.length,
    }
  }
}

function suggested(items: AutocompleteItem[], prefix: string): AutocompleteSuggestions | null {
  return items.length === 0 ? null : { items, prefix }
}

/** The paths whose letters fit best, those in the name before those in its folders; what git ignores comes last. */
export function nearPaths({ known, ignored }: ListedPaths, query: string): string[] {
  return [...nearest(known, query), ...nearest(ignored, query)].slice(0, mostFiles)
}

function nearest(paths: readonly string[], query: string): string[] {
  if (query === '') return paths.filter((path) => !/\/./.test(path)).slice(0, mostFiles)
  const scored = paths.flatMap((path) => {
    const { matches, score } = fuzzyMatch(query, path)
    if (!matches) return []
    const name = path.replace(/\/$/, '').split('/').at(-1) ?? ''
    const isInName = name.toLowerCase().includes(query.toLowerCase())
    return [{ path, score: (isInName ? -1_000 : 0) + score + path.length / 1_000 }]
  })
  return scored
    .toSorted((a, b) => a.score - b.score)
    .slice(0, mostFiles)
    .map(({ path }) => path)
}

function fileItem(path: string): AutocompleteItem {
  return { value: /\s/.test(path) ? `@"${path}"` : `@${path}`, label: path }
}

function slashItem(value: string): AutocompleteItem {
  return { value, label: value, description: slashCommands[value.slice(1) as SlashName] }
}
