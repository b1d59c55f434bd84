import type { ModelCapabilities, SessionState, ToolDescription } from '@loader/session-core'
import type { PromptFormat, PromptSection } from '@loader/session-core/coding'
import { describeTools, toolsOf } from '../calls/tool-descriptions.ts'
import type { Stage } from '../stage/stage.ts'
import { digestOf } from './digest.ts'
import { dynamicSections } from './dynamic-sections.ts'
import { type PromptPart, sectionText } from './section.ts'
import { staticSections } from './static-sections.ts'

export interface RenderedPrompt {
  readonly format: PromptFormat
  readonly text: string
  readonly toolsDigest: string
  readonly sections: readonly PromptPart[]
}

/** Separates the part that stays the same for the whole session, which providers cache, from the rest. */
const boundary = '# Dynamic Runtime Context'

/** The system prompt for a state. Equal state, tools and instructions must give the same bytes. */
export function promptFor(
  state: SessionState,
  { tools, workspace, projectInstructions }: Pick<Stage, 'tools' | 'workspace' | 'projectInstructions'>,
): RenderedPrompt {
  const format = (state.policy?.model?.nativeTools ?? true) ? 'native' : 'react'
  const descriptions = describeTools(toolsOf(state, tools))
  const stable = staticPart(descriptions, format, state.policy?.model?.callFormat)
  const changing = dynamicSections(state, { root: workspace.root, format, instructions: projectInstructions })
  return {
    format,
    text: `${[stable.text, boundary, ...changing.map(sectionText)].join('\n\n')}\n`,
    toolsDigest: stable.toolsDigest,
    sections: [...stable.sections, ...changing],
  }
}

export function withDigest(section: PromptPart): PromptSection {
  return { name: section.name, digest: digestOf(sectionText(section)) }
}

interface StaticPart {
  readonly key: string
  readonly sections: readonly PromptPart[]
  readonly text: string
  readonly toolsDigest: string
}

/** Cached by list of tools, because this is the longer part of the prompt and the same for every request. */
const known = new WeakMap<readonly ToolDescription[], StaticPart>()

function staticPart(
  descriptions: readonly ToolDescription[],
  format: PromptFormat,
  callFormat: ModelCapabilities['callFormat'],
): StaticPart {
  const key = `${format} ${callFormat}`
  const before = known.get(descriptions)
  if (before?.key === key) return before
  const sections = staticSections(descriptions, format, callFormat)
  const text = sections.map(sectionText).join('\n\n')
  const part = { key, sections, text, toolsDigest: digestOf(JSON.stringify(descriptions)) }
  known.set(descriptions, part)
  return part
}
