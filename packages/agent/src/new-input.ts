import type { EventInput, FilePart, Session } from '@loader/session-core'
import type { AgentOptions, TaskOptions } from './agent-options.ts'
import type { AgentConfig } from './config.ts'
import { capabilitiesNow, currentPolicy } from './current-policy.ts'
import { abortSource } from './stage/abort.ts'
import { type Quoted, quoteFiles } from './files/quote-files.ts'
import { requireTaken } from './files/require-taken.ts'
import { storeFiles } from './files/store-files.ts'

/** What people say, as the event that stores it. */
export type NewInput = Extract<EventInput, { type: 'input.queued' }>

/** The agent that an input is for, configured as it is now. */
type For = AgentOptions & { readonly config: AgentConfig }

/** An input with an id of its own. Long text is stored beside the log. */
export async function newInput(
  text: string,
  rest: Omit<NewInput, 'type' | 'inputId' | 'text'>,
  session: Session,
): Promise<NewInput> {
  const inputId = session.environment.newId('in')
  return { type: 'input.queued', inputId, text: await session.storeText(text), ...rest }
}

/** The files of an input, stored, as its event names them. Files that the model cannot take are refused before. */
export async function filesOfInput(
  { files = [], quote = [] }: Pick<TaskOptions, 'files' | 'quote'>,
  session: Session,
  agent: For,
): Promise<Pick<NewInput, 'files' | 'quoted'>> {
  if (files.length > 0) await requireModelTakes(files, session, agent)
  const quoted = quote.length === 0 ? undefined : await quotedFiles(quote, session, agent)
  const stored = await storeFiles([...files, ...(quoted?.files ?? [])], session.blobs)
  return {
    ...(stored.length > 0 && { files: stored }),
    ...(quoted !== undefined && quoted.texts.length > 0 && { quoted: [...quoted.texts] }),
  }
}

async function requireModelTakes(
  files: readonly FilePart[],
  session: Session,
  { backend, config }: For,
): Promise<void> {
  requireTaken(files, backend.id, await capabilitiesNow(backend, config, session.state))
}

async function quotedFiles(paths: readonly string[], session: Session, agent: For): Promise<Quoted> {
  const { signal } = abortSource()
  const run = { session, audience: 'nobody', signal, show: () => undefined } as const
  const policy = (await currentPolicy(agent, agent.config, run)) ?? session.state.policy
  if (policy === null) return { texts: [], files: [] }
  return quoteFiles(paths, { tools: agent.tools, session, policy, root: agent.workspace.root })
}
