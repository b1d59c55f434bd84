import type { SessionState } from '@loader/session-core'
import type {
  ChildPlace,
  CopiedTree,
  Delegation,
  Examination,
  SettledResult,
  Tool,
  ToolContext,
  ToolResult,
} from '@loader/session-core/coding'
import { childReach, childShare, policyOf, whyNoChild } from '@loader/workflow'
import { abortSource } from '../stage/abort.ts'
import { agentAliases, AgentInput, noKind } from './agent-input.ts'
import type { AgentKind, ChildPorts } from './child-agent.ts'
import { settleChild } from './run-child.ts'

/** The name of the tool. */
const agentToolName = 'agent'

/** Gives a part of the task to a child session, whose answer is the result. */
export function agentTool(ports: ChildPorts): Tool<AgentInput> {
  return {
    name: agentToolName,
    title: 'Give a task to an agent',
    description: describedWith(ports.kinds),
    input: AgentInput,
    aliases: agentAliases,
    examine: async (input, context) => examine(input, context, ports),
    run: async ({ input }, context) => run(input, context, ports),
    takeUp: async (callId, context) => takeUp(callId, context, ports),
  }
}

function describedWith(kinds: ReadonlyMap<string, AgentKind>): string {
  const what =
    'Give a part of the task to an agent that works by itself, and get its answer. Several calls in one answer run at the ' +
    'same time. It only looks, unless changes is true.'
  if (kinds.size === 0) return what
  const lines = [...kinds.values()].map(({ name, description }) => `- ${name}: ${description}`)
  return [what, 'Kinds of agents:', ...lines].join('\n')
}

function kindOf({ agent }: AgentInput, { kinds }: ChildPorts): AgentKind | undefined | 'unknown' {
  if (agent === undefined) return undefined
  return kinds.get(agent) ?? (noKind.has(agent.toLowerCase()) ? undefined : 'unknown')
}

const looksOnly: ReadonlySet<string> = new Set([
  'read',
  'glob',
  'grep',
  'git',
  'ask_user',
  'finish',
  'todo_write',
  'fetch',
])

/** An agent changes files only if that was asked for, and if neither its kind nor its parent is restricted to reading. */
function placeOf({ changes }: AgentInput, kind: AgentKind | undefined, state: SessionState): ChildPlace {
  const { permission } = policyOf(state)
  const isHeld = permission.mode === 'read-only' || permission.within === 'look' || kind?.reach === 'look'
  const canChange = kind?.tools?.some((name) => !looksOnly.has(name))
  const wanted = changes ?? (kind !== undefined && (kind.tools === undefined || canChange === true))
  return !isHeld && wanted && canChange !== false ? 'copy' : 'look'
}

async function examine(
  input: AgentInput,
  { delegation }: ToolContext,
  ports: ChildPorts,
): Promise<Examination<AgentInput>> {
  const kind = kindOf(input, ports)
  if (kind === 'unknown') {
    const known = [...ports.kinds.keys()].join(', ')
    const others = known === '' ? 'There are no kinds of agents here; leave it out.' : `There are: ${known}.`
    return { valid: false, message: `There is no kind of agent called ${input.agent}. ${others}` }
  }
  const why = delegation && whyNoChild(delegation.state, ports.limits)
  if (why !== undefined) return { valid: false, message: why }
  const place = delegation === undefined ? 'look' : placeOf(input, kind, delegation.state)
  const preview = `${kind?.name ?? 'agent'}: ${input.description}\n\n${input.prompt}`
  if (place === 'look') return { valid: true, input, effect: 'probe', paths: [], intent: [], preview }
  if (ports.trees() === undefined) {
    const message = 'An agent cannot change files here: no trees of the workspace are kept, so it can have no copy.'
    return { valid: false, message: `${message} Let it only look, and make the changes yourself.` }
  }
  return { valid: true, input, effect: 'write', apart: true, paths: [], intent: [], preview }
}

async function run(input: AgentInput, context: ToolContext, ports: ChildPorts): Promise<ToolResult> {
  const { delegation, callId } = context
  if (delegation === undefined) return { outcome: 'failed', text: 'No agent can be begun here.' }
  const kind = kindOf(input, ports)
  if (kind === 'unknown')
    return { outcome: 'failed', text: `There is no kind of agent called ${input.agent} any more.` }
  const refused = await assign({ input, kind, callId, ports, delegation })
  if (refused !== undefined) return { outcome: 'failed', text: refused }
  const settled = await settleChild(callId, { task: input.prompt, ports, delegation, context })
  // This process ran the child from the start, so an unknown outcome is a failure.
  return { ...settled, outcome: settled.outcome === 'unknown' ? 'failed' : settled.outcome }
}

interface Assigning {
  readonly input: AgentInput
  readonly kind: AgentKind | undefined
  readonly callId: string
  readonly ports: ChildPorts
  readonly delegation: Delegation
}

/** Decides everything about the child and records it, durably. Returns why there cannot be one. */
async function assign({ input, kind, callId, ports, delegation }: Assigning): Promise<string | undefined> {
  const place = placeOf(input, kind, delegation.state)
  const tree = place === 'copy' ? await copiedTree(ports) : undefined
  if (typeof tree === 'string') return tree
  const task = await delegation.storeText(input.prompt)
  // No await from here until the budget is divided, so that two children never get the same part. The limits are checked again,
  // because other children of the same answer may have begun meanwhile.
  const { state } = delegation
  const why = whyNoChild(state, ports.limits)
  if (why !== undefined) return why
  const wanted = { tools: kind?.tools, withoutTools: kind?.withoutTools, reach: kind?.reach, place }
  const grant = { ...childReach(policyOf(state), wanted), ...childShare(state, delegation.waiting) }
  await delegation.record({
    type: 'child.assigned',
    childId: delegation.newId('ses'),
    callId,
    title: input.description,
    task,
    ...(kind && { agent: kind.name }),
    ...(kind?.model !== undefined && { model: kind.model }),
    depth: (state.parent?.depth ?? 0) + 1,
    place,
    ...(tree && { tree }),
    grant,
  })
  return undefined
}

async function copiedTree({ trees }: ChildPorts): Promise<CopiedTree | string> {
  const taken = await trees()?.take()
  if (taken?.kind === 'taken') return { id: taken.tree.id, rest: taken.tree.rest }
  return `No copy of the workspace can be made: ${taken?.why ?? 'no trees of it are kept'}. Make the changes yourself.`
}

async function takeUp(callId: string, context: ToolContext, ports: ChildPorts): Promise<SettledResult | undefined> {
  const { delegation } = context
  if (delegation === undefined) return undefined
  const { turn, children = [] } = delegation.state
  const input = AgentInput.safeParse(turn?.calls.find(({ call }) => call.id === callId)?.call.input)
  if (!input.success) return undefined
  // No child was assigned to the call, so nothing was done: it begins now.
  if (!children.some((child) => child.callId === callId)) {
    if (turn?.stop !== null) return { outcome: 'interrupted', text: 'The agent was never begun. Nothing was done.' }
    return run(input.data, context, ports)
  }
  const call = { task: input.data.prompt, ports, delegation, context: stopped(context, turn?.stop !== null) }
  return settleChild(callId, call)
}

/** A turn that was asked to stop stops its children too, also after a crash. */
function stopped(context: ToolContext, isStopped: boolean): Pick<ToolContext, 'signal' | 'onOutput'> {
  if (!isStopped) return context
  const source = abortSource()
  source.abort()
  return { ...context, signal: source.signal }
}
