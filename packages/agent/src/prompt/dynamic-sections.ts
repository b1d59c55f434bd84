import type { SessionState } from '@loader/session-core'
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
    { name: 'Other Folder', lines: placeLines(state) },
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
    ...(policy?.audience === 'nobody' ? ['No one can answer questions: this is a non-interactive run.'] : []),
  ]
}

const installing: Readonly<Record<string, string>> = {
  npm: 'npm ci',
  pnpm: 'pnpm install --frozen-lockfile',
  yarn: 'yarn install --immutable',
  bun: 'bun install --frozen-lockfile',
  uv: 'uv sync',
  poetry: 'poetry install',
  pip: 'pip install -r requirements.txt',
  bundler: 'bundle install',
}

const mostNames = 5

/** Where the session came from another folder: what the conversation says of paths may not be true any more. */
function placeLines({ place, workspace }: SessionState): string[] {
  if (place?.since === undefined) return []
  const missing = place.missing ?? []
  const packages = missing.some(({ names }) =>
    names.some((name) => /(^|\/)(node_modules|\.venv|venv|vendor)\/?$/.test(name)),
  )
  const command = installing[workspace?.facts?.packageManager ?? '']
  return [
    `The work was begun in another folder. Its files are here now; earlier paths that lay in that folder lie in ${place.root}.`,
    ...missing.map(({ kind, count, names }) => `Not here (${kind}): ${count}: ${names.slice(0, mostNames).join(', ')}`),
    ...(packages && command !== undefined
      ? [`Installed packages are not here. If they are needed, install them with \`${command}\`.`]
      : []),
  ]
}

/**
 * Nothing that changes from task to task: the task and the todos are in the conversation, and in every summary of it.
 * Here, each change would make a provider read the whole conversation anew, and thoughts that are bound to it invalid.
 */
function workflowLines({ mode, plan, brief }: SessionState): string[] {
  return [
    `Mode: ${mode}`,
    ...(brief === null ? [] : ['A brief was agreed on; it is in the conversation.']),
    ...(plan === null ? [] : ['A plan was written; it is in the conversation.']),
  ]
}

const guidance: Readonly<Record<WorkflowMode, readonly string[]>> = {
  clarify: ['Find out what the user wants before anything is changed. One question at a time.'],
  plan: [
    'Work out how to do the task and how to show that it is done. Nothing may change until the user approves the plan.',
    'Look at what is there first. Then answer with the plan in words, in Markdown, with the headings ## File Changes,',
    '## Execution Order, ## Risks, ## Acceptance Criteria, ## Verification Commands. Short bullet points.',
  ],
  execute: ['Do the work. Keep to the brief and the plan, if there are any; say so when they turn out wrong.'],
  verify: ['Show whether the work is done. Run the checks, read what they say, and report it as it is.'],
  explore: ['Answer the question from what is there. You may look at everything and change nothing.'],
}
