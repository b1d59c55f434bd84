import type { Check, Criterion } from '@loader/session-core/coding'

/** A check that could stand for a criterion, and where it comes from. */
export interface Proposal {
  readonly command: string
  /** The criterion that it checks. */
  readonly text: string
  readonly source: 'user' | 'plan' | 'project' | 'commands' | 'presence'
  /** What kind of check it is, if known. */
  readonly kind?: string | undefined
  readonly cwd?: string | undefined
  readonly timeoutMs?: number | undefined
  readonly reach?: 'work' | 'network' | undefined
}

/** The same command in the same folder gets the same id in every turn, so that its evidence is found again. */
export function checkFor({ command, source, kind = 'check', cwd, timeoutMs, reach }: Proposal): Check {
  return {
    id: `check-${nameOf({ command, cwd })}`,
    command,
    kind,
    source,
    ...(cwd !== undefined && { cwd }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(reach !== undefined && { reach }),
  }
}

export function criterionFor({ command, cwd, text, source }: Proposal): Criterion {
  const name = nameOf({ command, cwd })
  return { id: `criterion-${name}`, text, checkIds: [`check-${name}`], source }
}

function nameOf({ command, cwd }: Pick<Proposal, 'command' | 'cwd'>): string {
  return nameFor(cwd === undefined ? command : `${cwd}\n${command}`)
}

/** A short, stable hash of a text (FNV-1a, twice, with different seeds). */
function nameFor(text: string): string {
  return `${fnv(text, 0x811c9dc5)}${fnv(text, 0x01234567)}`
}

function fnv(text: string, start: number): string {
  let hash = start
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return (hash >>> 0).toString(16).padStart(8, '0')
}
