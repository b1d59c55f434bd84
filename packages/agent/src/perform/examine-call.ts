import { isStorageRefusal, type EventInput, type JsonValue, LoaderError } from '@loader/session-core'
import { type Examination, requireExamination, type Tool } from '@loader/session-core/coding'
import { needOf, policyOf } from '@loader/workflow'
import { Delegations } from '../children/delegation.ts'
import { untilAborted } from '../stage/abort.ts'
import type { Stage, WorkingSession } from '../stage/stage.ts'
import { callableTools } from '../calls/tool-descriptions.ts'
import type { StepOf } from '../stage/step-of.ts'
import { contextFor, openCall } from './open-call.ts'
import { samePolicy } from '../stage/same-policy.ts'
import { toolsAsTheyAre } from './tools-as-they-are.ts'

type Examined = Extract<EventInput, { type: 'call.examined' }>

/** Examines what a call would do. This has no effect, so no event has to be durable before it. */
export async function examineCall({ callId }: StepOf<'examine_call'>, stage: Stage): Promise<void> {
  const { session, signal } = stage
  const { call } = openCall(session, callId)
  await toolsAsTheyAre(stage)
  const tools = callableTools(session.state, stage.tools)
  const tool = tools.find(({ name }) => name === call.name)
  if (tool === undefined) {
    session.record(notValid(callId, noSuchTool(call.name, tools)))
    return
  }
  applyRules(stage)
  const examination = await untilAborted(examine(tool, call.input, stage, callId), signal)
  if (examination === undefined) return
  if (examination.valid) stage.examinations.set(callId, examination)
  session.record(await asEvent(callId, examination, session))
}

/** Parses the arguments and lets the tool examine them. A tool that throws makes the call invalid. */
export async function examine(
  tool: Tool,
  input: JsonValue,
  stage: Stage,
  callId: string,
): Promise<Examination<unknown>> {
  const parsed = tool.input.safeParse(input)
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`)
    return { valid: false, message: `The arguments of ${tool.name} are not valid. ${issues.join('; ')}.` }
  }
  try {
    const context = contextFor(stage, callId)
    // What may be begun depends on the session that begins it.
    const about =
      tool.takeUp === undefined ? context : { ...context, delegation: new Delegations(stage, [callId]).for(callId) }
    const examination: unknown = await tool.examine(parsed.data, about)
    requireExamination(tool, examination)
    return examination
  } catch (error) {
    // The disk refused a write, or the tool breaks its contract: the model can repair neither.
    if (isStorageRefusal(error) || LoaderError.is(error, 'invalid_port')) throw error
    return { valid: false, message: `${tool.name} could not be looked at: ${String(error)}` }
  }
}

async function asEvent(callId: string, examination: Examination<unknown>, session: WorkingSession): Promise<Examined> {
  if (!examination.valid) return notValid(callId, examination.message)
  const { paths, hosts, intent, preview, command, question, apart, why } = examination
  const { effect, reach } = needOf(examination, policyOf(session.state))
  return {
    type: 'call.examined',
    callId,
    effect,
    reach,
    ...(why !== undefined && { why }),
    ...(paths.length > 0 && { paths }),
    ...(hosts !== undefined && { hosts }),
    ...(intent.length > 0 && { intent }),
    ...(preview !== undefined && {
      preview: typeof preview === 'string' ? await session.storeText(preview) : preview,
    }),
    command,
    question,
    ...(apart && { apart }),
  }
}

function notValid(callId: string, invalid: string): Examined {
  return { type: 'call.examined', callId, effect: 'none', invalid }
}

function noSuchTool(name: string, tools: readonly Tool[]): string {
  if (tools.length === 0) return `There is no tool called ${name} here, and no other. Answer in words.`
  return `There is no tool called ${name} here. There are: ${tools.map((tool) => tool.name).join(', ')}.`
}

/** Records rules that were added to files meanwhile, so that the next decision uses them. */
function applyRules({ session, permission }: Stage): void {
  const { policy } = session.state
  if (permission === undefined || policy === null) return
  const now = permission()
  if (!samePolicy(policy.permission, now)) session.record({ type: 'policy.applied', ...policy, permission: now })
}
