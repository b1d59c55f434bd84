/**
 * What a part of a command can lead to, the mildest first.
 *
 * - probe: it only looks
 * - write: it changes files that it names, in the workspace
 * - run: it runs code of the project, or changes what it does not name
 * - ask: it reaches beyond the workspace, cannot be undone, or cannot be understood
 * - danger: it takes rights, or changes the machine
 * - ruin: it destroys the machine, or everything the user has
 */
const levels = ['probe', 'write', 'run', 'ask', 'danger', 'ruin'] as const
export type Level = (typeof levels)[number]

export function isWorse(one: Level, other: Level): boolean {
  return levels.indexOf(one) > levels.indexOf(other)
}

export function worst(all: Iterable<Level>): Level {
  let found: Level = 'probe'
  for (const level of all) if (isWorse(level, found)) found = level
  return found
}

/** Worst first; what is equally bad keeps its order. */
export function worstFirst<Item extends { readonly level: Level }>(items: readonly Item[]): Item[] {
  return items.toSorted((one, other) => levels.indexOf(other.level) - levels.indexOf(one.level))
}
