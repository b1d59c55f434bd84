import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../programs.ts'

/** A line of a page that a reader can type. */
export interface DocumentedLine {
  readonly page: string
  /** Without the comment behind it. */
  readonly line: string
}

/** The pages that say how the command is used today; decisions say how it was. */
export const pagesOfCommand: readonly string[] = globSync(
  ['*.md', 'docs/*.md', '{packages,apps}/*/README.md', '.changeset/README.md'],
  { cwd: root },
)
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path !== 'CHANGELOG.md')
  .toSorted()

/** The lines with `loader …` in blocks of code: indented ones, and those of a shell. */
export function blockLines(): DocumentedLine[] {
  return pagesOfCommand.flatMap((page) =>
    [...textOf(page).matchAll(/^(?: {4}|\$ )+(loader(?: .*)?)$/gm)].map(([, text = '']) => ({
      page,
      line: withoutComment(text),
    })),
  )
}

/** The same within sentences: `loader …`, and the headings of commands. */
export function spanLines(): DocumentedLine[] {
  return pagesOfCommand.flatMap((page) =>
    [...textOf(page).matchAll(/`(loader [^`(][^`]*)`/g)].map(([, line = '']) => ({ page, line })),
  )
}

/** Whether it has a place that the reader fills: `…`, `<words>`, `[words]` or CAPITALS. */
export function hasPlace(line: string): boolean {
  return /…|<\w|\[\w|\b[A-Z]{2,}\b/.test(line)
}

/** The words behind `loader`, as a shell reads them; there is nothing in them but plain and quoted words. */
export function wordsOf(line: string): string[] {
  const plain = line.replace(/ < \S+$/, '')
  const rest = plain.replaceAll(/"[^"$`\\]*"|[^\s"'$`\\|&;]+/g, '').trim()
  if (rest !== '') throw new Error(`What is ${JSON.stringify(rest)} in ${JSON.stringify(line)}?`)
  const [name, ...words] = [...plain.matchAll(/"([^"]*)"|([^\s"]+)/g)].map(([, quoted, word]) => quoted ?? word ?? '')
  if (name !== 'loader') throw new Error(`${JSON.stringify(line)} does not begin with loader.`)
  return words
}

function withoutComment(text: string): string {
  return (text.split(/\s+#/)[0] ?? '').trim()
}

function textOf(page: string): string {
  return readFileSync(join(root, page), 'utf8')
}
