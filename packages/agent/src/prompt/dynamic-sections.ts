import { type SessionState, shownText } from '@loader/session-core'
import type { PromptFormat, WorkflowMode } from '@loader/session-core/coding'
import type { PromptPart } from './section.ts'

export interface PromptFacts {
  readonly root: string
  readonly format: PromptFormat
  readonly instructions: readonly { readonly path: string; readonly text: string }[]
}

/** The sections that may differ between turns, ordered from least to most often changing. */
export function dynamicSections(state: SessionState, { root, format, instructions }: PromptFacts): PromptPart[] {
  return [
    { name: 'Project Instructions', lines: instructions.flatMap(({ path, text }) => [`## ${path}`, text.trim()]) },
    { name: 'Project Context', lines: projectLines(state) },
    { name: 'Runtime Config', lines: runtimeLines(state, root, format) },
    { name: 'Workflow Context', lines: workflowLines(state) },
    { name: 'Mode Guidance', lines: guidance[state.turn?.lane === 'explore' ? 'explore' : state.mode] },
  ].filter(({ lines }) => lines.length > 0)
}

function projectLines({ workspace }: SessionState): string[] {
  const facts = workspace?.facts
  if (!facts) return []
  const { kind, packageManager, commands = {} } = facts
  return [
    ...(kind === undefined ? [] : [`Kind: ${kind}`]),
    ...(packageManager === undefined ? [] : [`Package manager: ${packageManager}`]),
    ...Object.entries(commands).map(([name, command]) => `Command for ${name}: ${command}`),
  ]
}

function runtimeLines({ policy }: SessionState, root: string, format: PromptFormat): string[] {
  const mode = policy?.permission.mode ?? 'read-only'
  return [
    `Project folder: ${root}`,
    `Permission mode: ${mode}`,
    `Call format: ${format}`,
    ...(policy?.audience === 'nobody' ? ['Nobody is there to answer questions.'] : []),
  ]
}

function workflowLines({ mode, task, plan, brief, todos }: SessionState): string[] {
  return [
    `Mode: ${mode}`,
    ...(task === null ? [] : [`Task: ${shownText(task)}`]),
    ...(brief === null ? [] : ['A brief was agreed on; it is in the conversation.']),
    ...(plan === null ? [] : ['A plan was written; it is in the conversation.']),
    ...todos.filter(({ status }) => status !== 'completed').map(({ status, text }) => `Todo (${status}): ${text}`),
  ]
}

const guidance: Readonly<Record<WorkflowMode, readonly string[]>> = {
  clarify: ['Find out what the user wants before anything is changed. One question at a time.'],
  plan: ['Work out how to do the task and how to show that it is done. Change nothing yet.'],
  execute: ['Do the work. Keep to the brief and the plan, if there are any; say so when they turn out wrong.'],
  verify: ['Show whether the work is done. Run the checks, read what they say, and report it as it is.'],
  explore: ['Answer the question from what is there. You may look at everything and change nothing.'],
}
