import type { EventOf, JsonValue, SessionEvent } from '@loader/session-core'
import type { Examination, Tool, ToolResult } from '@loader/session-core/coding'
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
  }))
}

/** Tools that run again. An interrupted call runs as far as it had come. */
export function livingTools(
  tools: readonly Tool[],
  { session, answer }: ReplayDesk,
  place: (input: JsonValue) => JsonValue,
): Tool[] {
  return tools.map((tool) => ({
    ...asDescribed(tool),
    examine: (input, context) => answer(() => tool.examine(place(input as JsonValue), context)),
    async run(examined, context) {
      const wasCutOff = session.upcoming === 'end'
      if (wasCutOff && session.find(resultOf(context.callId))?.outcome !== 'ok') return nothing
      return tool.run(examined, context)
    },
    observe: async (intent) => (await tool.observe?.(intent)) ?? { files: [] },
  }))
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
  if (examined === undefined) return { valid: false, message: 'The recording does not say what this call would do.' }
  const { effect, reach, why, paths = [], intent = [], preview, command, question, invalid } = examined
  if (invalid !== undefined) return { valid: false, message: invalid }
  return {
    valid: true,
    input,
    effect,
    paths,
    intent,
    ...(preview !== undefined && { preview }),
    ...(command !== undefined && { command }),
    // `look` is never requested: it is found by examining, and is found again.
    ...(reach !== undefined && reach !== 'look' && { reach }),
    ...(why !== undefined && { why }),
    ...(question && { question }),
  }
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
