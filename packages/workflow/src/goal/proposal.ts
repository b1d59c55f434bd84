import type { Check, Criterion } from '@loader/session-core/coding'

/** A check that could stand for a criterion, and where it comes from. */
export interface Proposal {
  readonly command: string
  /** The criterion that it shows. */
  readonly text: string
  readonly source: 'user' | 'plan' | 'project' | 'commands' | 'presence'
  /** What it is about, as far as that is known. */
  readonly kind?: string | undefined
  readonly cwd?: string | undefined
  readonly timeoutMs?: number | undefined
  readonly reach?: 'work' | 'network' | undefined
}

/** The same command in the same folder has the same name in every turn, so its evidence has one place. */
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

/** A short name that is always the same for a text (FNV-1a, twice, from different starts). */
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
