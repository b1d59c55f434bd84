import { existsSync, readFileSync } from 'node:fs'
import type { Topic } from '../arguments/topics.ts'

/** The page of a topic: beside the built command, or where it is written. */
export function pageOf(topic: Topic): string {
  const packed = new URL(`./pages/${topic}.md`, import.meta.url)
  return readFileSync(existsSync(packed) ? packed : new URL(`../../../../docs/${topic}.md`, import.meta.url), 'utf8')
}

/**
 * The same text with each paragraph and each item on one line, so that a terminal of any width can wrap it. Tables, code
 * and headings stay as they are.
 */
export function onLongLines(page: string): readonly string[] {
  const lines: string[] = []
  let isCode = false
  for (const line of withoutComments(page).split('\n')) {
    if (line.startsWith('```')) isCode = !isCode
    const last = lines.at(-1)
    if (!isCode && last !== undefined && isText(last) && goesOn(line))
      lines[lines.length - 1] = `${last} ${line.trim()}`
    else lines.push(line)
  }
  return lines
}

/** Comments are for those who write the page. */
function withoutComments(page: string): string {
  return page.replace(/^<!--[^]*?-->\n\n?/gm, '')
}

function isText(line: string): boolean {
  return line.trim() !== '' && !/^(?:#|\||```| {4})/.test(line)
}

function goesOn(line: string): boolean {
  return isText(line) && !/^\s*(?:[-*]|\d+\.)\s/.test(line)
}
