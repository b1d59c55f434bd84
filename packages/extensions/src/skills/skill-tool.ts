import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Tool, ToolContext } from '@loader/session-core/coding'
import { codeOf } from '@loader/workspace'
import * as z from 'zod'
import type { Skill } from './skill-file.ts'

/** The skills that a model can load. */
export interface SkillToolOptions {
  readonly skills: ReadonlyMap<string, Skill>
  /** Called when the text of a skill goes to the model: from then on its rules may count, in the session of the call. */
  readonly onLoaded?: (skill: Skill, call: Pick<ToolContext, 'sessionId'>) => void
}

/** More would fill the window before anything is done; the rest is named without a description. */
const mostDescribed = 16 * 1024
const mostFiles = 50

/**
 * The tool that loads skills. Names and descriptions go with every request, texts only when they are asked for. What the text
 * names is read and run by the other tools, with their permissions and walls: a skill has no reach of its own.
 */
export function skillTool({ skills, onLoaded }: SkillToolOptions): Tool<{ name: string }> {
  const input = z.object({ name: z.string().describe(`which one: ${listed([...skills.values()])}`) })
  return {
    name: 'skill',
    title: 'Load a skill',
    description:
      'Load the instructions of a skill, when its description fits the task, before you begin. They name files and scripts ' +
      'in the folder of the skill: read and run these with the other tools.',
    input,
    aliases: {
      names: ['load_skill', 'use_skill', 'activate_skill'],
      arguments: { name: ['skill', 'command'] },
      main: 'name',
    },
    rule: { names: ['Skill'], takes: 'path' },
    effect: 'none',
    async examine({ name }) {
      const skill = skills.get(name)
      if (skill === undefined)
        return { valid: false, message: `There is no skill ${name}. There are: ${[...skills.keys()].join(', ')}.` }
      return { valid: true, input: { name }, effect: 'none', paths: [], intent: [] }
    },
    async run({ input: { name } }, { sessionId }) {
      const skill = skills.get(name)
      if (skill === undefined) return { outcome: 'failed', text: `There is no skill ${name}.` }
      onLoaded?.(skill, sessionId === undefined ? {} : { sessionId })
      const files = filesIn(skill.folder)
      const rest = files.length === 0 ? [] : ['', `Files of it: ${files.join(', ')}`]
      return {
        outcome: 'ok',
        text: [`Skill ${name}. Paths in it are relative to its folder: ${skill.folder}`, '', skill.body, ...rest].join(
          '\n',
        ),
        metadata: {
          summary: `${name}, of the ${skill.origin}`,
          skill: name,
          file: skill.file,
          digest: `sha256:${createHash('sha256').update(skill.body).digest('hex')}`,
        },
      }
    },
  }
}

/** `pdf (reads and fills PDF files); …`, as far as there is room. */
function listed(skills: readonly Skill[]): string {
  let room = mostDescribed
  return skills
    .map(({ name, description }) => {
      room -= name.length + description.length
      return room < 0 ? name : `${name} (${description})`
    })
    .join('; ')
}

/** What lies in the folder of a skill, as far as it is shown. */
function filesIn(folder: string, at: string = folder, depth = 0): readonly string[] {
  if (depth > 3) return []
  try {
    const entries = readdirSync(at, { withFileTypes: true }).toSorted((one, other) => (one.name < other.name ? -1 : 1))
    return entries
      .flatMap((entry) => {
        const path = join(at, entry.name)
        if (entry.isDirectory())
          return entry.name.startsWith('.') || entry.name === 'node_modules' ? [] : filesIn(folder, path, depth + 1)
        return entry.isFile() && entry.name !== 'SKILL.md' ? [relative(folder, path)] : []
      })
      .slice(0, mostFiles)
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return []
  }
}
