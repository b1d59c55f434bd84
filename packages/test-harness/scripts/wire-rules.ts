// The list of rules in docs/wire-server.md, read off the rules themselves.
import { historyRules, type RuleDescription } from '../src/index.ts'
import { cacheRules } from '../src/wire/prompt-cache/rules.ts'
import { type RequestRule, requestRules, requestRuleSources } from '../src/wire/wire-script.ts'

const names: Readonly<Record<string, string>> = {
  openai: 'chat completions',
  responses: 'responses',
  anthropic: 'Anthropic',
  gemini: 'Gemini',
  ollama: 'Ollama',
}

const begin = '<!-- rules: written by `pnpm run docs` -->'
const end = '<!-- end of rules -->'

/** The document with the list of rules as they are. */
export function withRules(document: string): string {
  const [from, to] = [document.indexOf(begin), document.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`docs/wire-server.md needs a line "${begin}" and, below, "${end}".`)
  return `${document.slice(0, from)}${begin}\n\n${listOfRules()}\n\n${document.slice(to)}`
}

function listOfRules(): string {
  const ofHistories = Object.entries<RuleDescription>(historyRules).map(ruleLine)
  const ofRequests = Object.entries(requestRules).map(([rule, says]) => {
    const places = placesOf(requestRuleSources[rule as RequestRule] ?? {})
    return `- \`${rule}\`: ${[says, ...(places === '' ? [] : [places])].join(' ')}`
  })
  const ofCache = Object.values(cacheRules).map(({ says, source }) => `- ${says} [Anthropic](${source})`)
  return [
    'Of histories:',
    '',
    ...ofHistories,
    '',
    'Of the rest of a request:',
    '',
    ...ofRequests,
    '',
    'Of the prompt cache:',
    '',
    ...ofCache,
  ].join('\n')
}

function ruleLine([rule, { says, checked, heldBy, sources }]: [string, RuleDescription]): string {
  const notes = [checked === 'on request' ? ' _On request._' : '', heldBy === undefined ? '' : ` _Held by ${heldBy}._`]
  return `- \`${rule}\`: ${says}${notes.join('')} ${placesOf(sources)}`
}

function placesOf(sources: Readonly<Partial<Record<string, string>>>): string {
  return Object.entries(sources)
    .map(([dialect, source]) => `[${names[dialect]}](${source})`)
    .join(', ')
}
