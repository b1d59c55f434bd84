import type { EventOf, JsonValue, SessionEvent } from '@loader/session-core'
import type { Examination, SettledResult, Tool, ToolResult } from '@loader/session-core/coding'
import type { ReplayDesk } from './replay-desk.ts'

/** Tools that return the recorded examinations and results, without any effect. */
export function recordedTools(tools: readonly Tool[], { session, answer }: ReplayDesk): Tool[] {
  return tools.map((tool) => ({
    ...asDescribed(tool),
    examine: (input, { callId }) => answer(() => asExamination(input, session.find(examinationOf(callId)))),
    run: async (_examined, { callId }) => {
      const finished = session.find(resultOf(callId))
      return finished === undefined ? nothing : asResult(finished, session)
    },
    observe: async () => ({ files: [] }),
    // What a child session has done is in its own log, and its result in this one.
    ...(tool.takeUp && { takeUp: async (callId: string) => settledAs(session.find(resultOf(callId)), session) }),
  }))
}

/** Tools that run again. An interrupted call runs as far as it had come. Child sessions do not run again. */
export function livingTools(tools: readonly Tool[], desk: ReplayDesk, place: (input: JsonValue) => JsonValue): Tool[] {
  const { session, answer } = desk
  const delegating = tools.filter((tool) => 'takeUp' in tool)
  const others = tools.filter((tool) => !delegating.includes(tool))
  const living = others.map((tool): Tool => ({
    ...asDescribed(tool),
    examine: (input, context) => answer(() => tool.examine(place(input as JsonValue), context)),
    async run(examined, context) {
      const wasCutOff = session.upcoming === 'end'
      if (wasCutOff && session.find(resultOf(context.callId))?.outcome !== 'ok') return nothing
      return tool.run(examined, context)
    },
    observe: async (intent) => (await tool.observe?.(intent)) ?? { files: [] },
  }))
  return [...living, ...recordedTools(delegating, desk)]
}

/** The result was never recorded, so its content does not matter. */
const nothing: ToolResult = { outcome: 'interrupted', text: '' }

/** The description of a tool without its functions. */
function asDescribed({
  name,
  title,
  description,
  input,
  aliases,
  rule,
  effect,
}: Tool): Omit<Tool, 'examine' | 'run' | 'observe'> {
  return {
    name,
    description,
    input,
    ...(title !== undefined && { title }),
    ...(aliases && { aliases }),
    ...(rule && { rule }),
    ...(effect && { effect }),
  }
}

type Examined = EventOf<'call.examined'>
type Finished = EventOf<'tool.finished'>

function examinationOf(callId: string): (event: SessionEvent) => event is Examined {
  return (event): event is Examined => event.type === 'call.examined' && event.callId === callId
}

function resultOf(callId: string): (event: SessionEvent) => event is Finished {
  return (event): event is Finished => event.type === 'tool.finished' && event.callId === callId
}

function asExamination(input: unknown, examined: Examined | undefined): Examination<unknown> {
  if (examined === undefined) return { valid: false, message: 'The history does not say what this call would do.' }
  const { effect, reach, why, paths = [], hosts, intent = [], preview, command, question, apart, invalid } = examined
  if (invalid !== undefined) return { valid: false, message: invalid }
  return {
    valid: true,
    input,
    effect,
    paths,
    intent,
    ...(hosts && { hosts }),
    ...(preview !== undefined && { preview }),
    ...(command !== undefined && { command }),
    // `look` is never requested: it is found by examining, and is found again.
    ...(reach !== undefined && reach !== 'look' && { reach }),
    ...(why !== undefined && { why }),
    ...(question && { question }),
    ...(apart && { apart }),
  }
}

function settledAs(finished: Finished | undefined, session: ReplayDesk['session']): SettledResult | undefined {
  if (finished === undefined || finished.outcome === 'denied') return undefined
  return { ...asResult(finished, session), outcome: finished.outcome }
}

function asResult(
  { callId, outcome, text, files, metadata, secretsReplaced }: Finished,
  session: ReplayDesk['session'],
): ToolResult {
  const left = session.leftBy(callId)
  return {
    outcome: outcome === 'ok' || outcome === 'failed' ? outcome : 'interrupted',
    text: session.text(text),
    ...(files && { files }),
    ...(metadata && { metadata }),
    ...(secretsReplaced !== undefined && { secretsReplaced }),
    ...(left?.type === 'todos.updated' && { todos: left.todos }),
    ...(left?.type === 'statement.made' && { statement: left }),
  }
}
