import { JsonObject, type JsonValue } from '@loader/session-core'
import type { Tool } from '@loader/session-core/coding'
import * as z from 'zod'

export const findToolsName = 'find_tools'

const most = 8

const FindInput = z.object({
  query: z.string().trim().min(1).describe('what it should do, in a few words; or the name of a tool'),
})
type FindInput = z.infer<typeof FindInput>

/** Finds tools of servers by words. From the next request on, the model is told about those that were found. */
export function findTools(tools: readonly Tool[], servers: readonly string[]): Tool<FindInput> {
  const search = (query: string) => found(tools, query)
  return {
    name: findToolsName,
    title: 'Look for tools',
    description:
      `Find tools of connected servers (${servers.join(', ')}): ${tools.length} more than are listed here. ` +
      'Those that are found can be called after that.',
    input: FindInput,
    effect: 'none',
    finds(input: JsonValue) {
      const query = JsonObject.safeParse(input).data?.['query']
      return typeof query === 'string' ? search(query).map(({ name }) => name) : []
    },
    examine: async (input) => ({ valid: true, input, effect: 'none', paths: [], intent: [] }),
    async run({ input: { query } }) {
      const hits = search(query)
      if (hits.length === 0) {
        const names = tools.slice(0, 200).map(({ name }) => name)
        return { outcome: 'ok', text: `No tool is like that. There are: ${names.join(', ')}.` }
      }
      const lines = hits.map(({ name, description }) => `${name}: ${firstLine(description)}`)
      return { outcome: 'ok', text: `These can be called now:\n${lines.join('\n')}` }
    },
  }
}

/** The tools with the most of the words, those with words in their names first; of equals, the first ones. */
function found(tools: readonly Tool[], query: string): readonly Tool[] {
  const words = [...new Set(wordsOf(query))]
  const exact = query.trim().toLowerCase()
  const scored = tools.map((tool, index) => {
    const name = new Set(wordsOf(tool.name))
    const text = new Set(wordsOf(tool.description))
    const points = words.map((word) => (name.has(word) ? 3 : beginsIn(name, word) ? 2 : text.has(word) ? 1 : 0))
    const score = points.reduce<number>((sum, one) => sum + one, 0) + (tool.name.toLowerCase() === exact ? 1000 : 0)
    return { tool, index, score }
  })
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score || one.index - other.index)
    .slice(0, most)
    .map(({ tool }) => tool)
}

function beginsIn(words: ReadonlySet<string>, word: string): boolean {
  return [...words].some((one) => one.startsWith(word) || (one.length > 3 && word.startsWith(one)))
}

function wordsOf(text: string): readonly string[] {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1)
}

function firstLine(text: string): string {
  return text.split('\n')[0]?.slice(0, 300) ?? ''
}
