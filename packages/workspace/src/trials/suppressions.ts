import type { RunnerName } from '../runners/runner.ts'

/** Comments that silence a check, by the program that reads them. `other`: checkers such as mypy and ruff. */
const comments: Readonly<Record<'tsc' | 'eslint' | 'other', RegExp>> = {
  tsc: /@ts-(?:nocheck|ignore|expect-error)\b[^\n*]*/g,
  eslint: /eslint-disable(?:-next-line|-line)?\b[^\n*]*/g,
  other:
    /#\s*(?:type:\s*ignore|noqa|pylint:\s*disable|mypy:\s*(?:ignore-errors|disable)|pyright:\s*ignore|ruff:\s*noqa|flake8:\s*noqa)[^\n]*|(?:biome-ignore|oxlint-disable|deno-lint-ignore|tslint:disable|#\[allow\()[^\n*]*/g,
}

/** The comments that a check with these runners reads. Test runners read none. */
function readBy(runners: readonly RunnerName[]): readonly RegExp[] {
  if (runners.length === 0) return Object.values(comments)
  return runners.flatMap((it) => (it === 'tsc' || it === 'eslint' ? [comments[it]] : []))
}

/** The text without the silencing comments that were not in it before; undefined when there are none. */
export function withoutSuppressions(
  { before, now }: { readonly before: string | undefined; readonly now: string },
  runners: readonly RunnerName[],
): string | undefined {
  let text = now
  for (const pattern of readBy(runners)) {
    const old = countsOf(before ?? '', pattern)
    text = text.replace(pattern, (comment) => {
      const key = comment.trim()
      const left = old.get(key) ?? 0
      if (left === 0) return comment.startsWith('#[') ? '#[doc(' : comment.startsWith('#') ? '#' : ''
      old.set(key, left - 1)
      return comment
    })
  }
  return text === now ? undefined : text
}

function countsOf(text: string, pattern: RegExp): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [comment] of text.matchAll(pattern)) counts.set(comment.trim(), (counts.get(comment.trim()) ?? 0) + 1)
  return counts
}
