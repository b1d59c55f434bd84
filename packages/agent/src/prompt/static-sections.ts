import type { ModelCapabilities, ToolDescription } from '@loader/session-core'
import type { PromptFormat } from '@loader/session-core/coding'
import type { PromptPart } from './section.ts'

/** The section that lists tools. */
export const toolsSection = 'Tools Available'

/** Names of the sections that are the same for every turn. */
export const staticNames: ReadonlySet<string> = new Set(['Introduction', toolsSection, 'Tool Call Format', 'Rules'])

export function staticSections(
  tools: readonly ToolDescription[],
  format: PromptFormat,
  callFormat: ModelCapabilities['callFormat'],
): PromptPart[] {
  if (tools.length === 0) return [introduction]
  return [
    introduction,
    { name: toolsSection, lines: tools.map((tool) => toolLine(tool, format)) },
    ...(format === 'native'
      ? []
      : [{ name: 'Tool Call Format', lines: callFormats[callFormat === 'bracket' ? 'bracket' : 'json_tag'] }]),
    rules,
  ]
}

const introduction: PromptPart = {
  name: 'Introduction',
  lines: [
    'You are Loader, a coding agent that works in the project folder of its user.',
    'You act through tools, in small steps, and you look before you change.',
    'What you say is shown to the user. What counts as done is decided by checks that the runtime runs.',
  ],
}

const rules: PromptPart = {
  name: 'Rules',
  lines: [
    '- Do the task with tools. Do not describe what could be done, and do not hand steps back to the user.',
    '- Read a file before you change it. Change as little as the task needs, in the style that is there.',
    '- After a change, run what shows that it works, such as the tests of the project.',
    '- Never alter, weaken or delete an existing test or check to make it pass, unless the user asked for exactly that.',
    '- A result marked unknown or interrupted may or may not have taken effect. Find out before you do it again.',
    '- When a call fails or is denied, read the reason and try another way. Do not repeat the same call.',
    '- When everything is done, answer in a few plain sentences: what was done, and what was not.',
  ],
}

function toolLine({ name, description, inputSchema }: ToolDescription, format: PromptFormat): string {
  const [first = ''] = description.split('\n')
  if (format === 'native') return `- ${name}: ${first}`
  return `- ${name}: ${first} Arguments: ${JSON.stringify(inputSchema['properties'] ?? {})}`
}

const callFormats = {
  json_tag: [
    'To call a tool, write exactly this, with nothing after it, and wait for the result:',
    '<tool_call>{"name": "read", "arguments": {"file_path": "notes.txt"}}</tool_call>',
    'Several calls are several such tags. When you need no tool any more, answer without a tag.',
  ],
  bracket: [
    'To call a tool, write exactly this, with nothing after it, and wait for the result:',
    '[USE read tool: file_path="notes.txt"]',
    'When you need no tool any more, answer without brackets.',
  ],
} as const
