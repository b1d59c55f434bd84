import type { Plan } from '@loader/session-core/coding'
import { phrases, says } from '../text/phrases.ts'
import { wordsOf } from '../text/words.ts'
import { readPlan } from './parse-plan.ts'
import { pathsIn } from './paths-in.ts'

const removing = phrases({ verbs: ['delete, remove, drop'], exact: ['get rid of, deletion, removal'] })
const moving = phrases({ verbs: ['rename, move'] })
const making = phrases({ verbs: ['create, write, add, generate'] })

/**
 * The files that will exist when the plan is done, relative to the root: those of its file changes, and those that a
 * step creates. Files outside the project are left out, because their presence cannot be checked.
 */
export function plannedFiles(plan: Plan, root: string | null = null): string[] {
  const reading = readPlan(plan, '')
  if (reading === null) return []
  const fromSteps = reading.steps.filter((step) => isMaking(step))
  const files = [...reading.fileChanges.flatMap(remaining), ...fromSteps.flatMap(remaining)]
  return [...new Set(files.flatMap((path) => inside(path, root)))]
}

/** Whether a step begins with a verb of creation. `Add a line to a.txt` does too: that file must exist as well. */
function isMaking(step: string): boolean {
  const [first = ''] = wordsOf(step)
  return says([first], making)
}

function remaining(item: string): string[] {
  const head = headOf(item)
  const words = wordsOf(head)
  const paths = pathsIn(head).length > 0 ? pathsIn(head) : pathsIn(item).slice(0, 1)
  if (says(words.slice(0, 3), removing) || says(wordsOf(item.slice(head.length)).slice(0, 3), removing)) return []
  return says(words, moving) && paths.length > 1 ? paths.slice(-1) : paths
}

/** The text before the explanation. */
function headOf(item: string): string {
  const end = item.search(/:\s|\s[-–—]\s|\s\(|;\s/)
  return end < 0 ? item : item.slice(0, end)
}

function inside(path: string, root: string | null): string[] {
  const relative = root !== null && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path
  return /^(?:\/|~|[A-Za-z]:)/.test(relative) || relative.split('/').includes('..') ? [] : [relative]
}
