import type { PromptSnapshot } from '@loader/session-core/coding'
import { structuredPatch } from 'diff'
import type { PromptDiffOutput } from './schemas/prompt.ts'

const linesAround = 3

/** The difference between two prompts, as a unified diff without file names. */
export function promptDiff(before: string, after: string): string {
  const { hunks } = structuredPatch('before', 'after', before, after, undefined, undefined, { context: linesAround })
  return hunks
    .flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
      `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
      ...lines,
    ])
    .join('\n')
}

export function changedSections(before: PromptSnapshot, after: PromptSnapshot): PromptDiffOutput['sections'] {
  const old = new Map(before.sections.map(({ name, digest }) => [name, digest]))
  const now = new Map(after.sections.map(({ name, digest }) => [name, digest]))
  return {
    added: [...now.keys()].filter((name) => !old.has(name)),
    removed: [...old.keys()].filter((name) => !now.has(name)),
    changed: [...now].filter(([name, digest]) => old.has(name) && old.get(name) !== digest).map(([name]) => name),
  }
}
