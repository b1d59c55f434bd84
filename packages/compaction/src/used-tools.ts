import { callsOf, type Message } from '@loader/session-core'

/** The tools that were called most, with how often, `earlier` being such a line about what came before. */
export function usedTools(messages: readonly Message[], most: number, earlier: string = ''): string {
  const counts = new Map<string, number>()
  for (const [, name, count] of earlier.matchAll(/(\S+) \((\d{1,9})\)/g)) counts.set(name ?? '', Number(count))
  for (const { content } of messages) {
    for (const { name } of callsOf(content)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, most)
    .map(([name, count]) => `${name} (${count})`)
    .join(', ')
}
