import { createHash } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'

/** Programs whose files are long, in the forms that they have. `gemini-document` is how older versions wrote them. */
export const largeKinds = ['codex', 'claude', 'gemini', 'gemini-document', 'pi'] as const
export type LargeKind = (typeof largeKinds)[number]

interface Turn {
  readonly number: number
  readonly at: string
  /** What the user says, the model thinks and answers, a command prints, and the model says at the end. */
  readonly prompt: string
  readonly thought: string
  readonly first: string
  readonly printed: string
  readonly last: string
}

type Value = Readonly<Record<string, unknown>>

/** A file of so many megabytes that is all conversation: many turns with long texts. Returns how many turns it has. */
export function writeLargeSession(path: string, kind: LargeKind, megabytes: number): number {
  const file = openSync(path, 'w')
  let bytes = 0
  const put = (text: string): void => void (bytes += writeSync(file, text))
  let number = 0
  try {
    const { begin, turn, end, between } = writers[kind]
    put(begin)
    while (bytes < megabytes * 1024 * 1024) {
      const text = turn(turnOf(number)).map((value) => JSON.stringify(value))
      put(`${number === 0 ? '' : between}${text.join(between)}`)
      number += 1
    }
    put(end)
  } finally {
    closeSync(file)
  }
  return number
}

function turnOf(number: number): Turn {
  const at = new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString()
  const text = (what: string, length: number) => prose(`${number} ${what}`, length)
  return {
    number,
    at,
    prompt: text('prompt', 2_000),
    thought: text('thought', 1_000),
    first: text('first', 3_000),
    printed: text('printed', 8_000),
    last: text('last', 6_000),
  }
}

const words = 'the file holds a test that reads what was written and says why it fails when one line is gone'.split(' ')

/** Different words every time, so that no two texts are one string. */
function prose(seed: string, length: number): string {
  const digest = createHash('sha256').update(seed).digest()
  const line = [...digest].map((byte) => words[byte % words.length]).join(' ')
  return `${seed}: ${`${line}\n`.repeat(Math.ceil(length / (line.length + 1)))}`.slice(0, length)
}

interface Writer {
  readonly begin: string
  readonly turn: (turn: Turn) => Value[]
  readonly between: string
  readonly end: string
}

function lines(first: readonly Value[], turn: Writer['turn']): Writer {
  return { begin: first.map((value) => `${JSON.stringify(value)}\n`).join(''), turn, between: '\n', end: '\n' }
}

const start = '2026-01-01T00:00:00.000Z'
const project = 'c52ddf65534b7b46035084358ab7902be4bfef220bdb503ac7039cc861905b05'

const writers: Readonly<Record<LargeKind, Writer>> = {
  codex: lines(
    [
      {
        timestamp: start,
        ordinal: 0,
        type: 'session_meta',
        payload: { id: 'large', timestamp: start, cwd: '/workspace', cli_version: '0.169.0', model_provider: 'openai' },
      },
    ],
    codexTurn,
  ),
  claude: lines([], claudeTurn),
  gemini: lines([{ sessionId: 'large', projectHash: project, startTime: start, lastUpdated: start }], geminiTurn),
  'gemini-document': {
    begin: `{"sessionId":"large","projectHash":"${project}","startTime":"${start}","lastUpdated":"${start}","messages":[`,
    turn: geminiTurn,
    between: ',',
    end: ']}\n',
  },
  pi: lines([{ type: 'session', version: 3, id: 'large', timestamp: start, cwd: '/workspace' }], piTurn),
}

function codexTurn({ number, at, prompt, thought, first, printed, last }: Turn): Value[] {
  const line = (type: string, payload: Value): Value => ({ timestamp: at, type, payload })
  const item = (payload: Value) => line('response_item', payload)
  const shown = (about: Value) => line('event_msg', { type: 'item_completed', item: about })
  const said = (id: string, text: string) => [
    shown({ type: 'AgentMessage', id, content: [{ type: 'Text', text }] }),
    item({ type: 'message', id, role: 'assistant', content: [{ type: 'output_text', text }] }),
  ]
  const call = `call_${number}`
  return [
    line('turn_context', { cwd: '/workspace', model: 'gpt-5.5' }),
    item({ type: 'message', id: `in_${number}`, role: 'user', content: [{ type: 'input_text', text: prompt }] }),
    shown({ type: 'UserMessage', id: `shown_${number}`, content: [{ type: 'text', text: prompt }] }),
    item({ type: 'reasoning', id: `rs_${number}`, summary: [{ type: 'summary_text', text: thought }], content: null }),
    ...said(`msg_${number}_1`, first),
    item({ type: 'function_call', name: 'exec_command', arguments: '{"cmd":"sh check.sh"}', call_id: call }),
    shown({ type: 'CommandExecution', id: call, aggregated_output: printed, status: 'completed', exit_code: 0 }),
    item({ type: 'function_call_output', call_id: call, output: `Process exited with code 0\nOutput:\n${printed}` }),
    ...said(`msg_${number}_2`, last),
    line('event_msg', { type: 'task_complete', last_agent_message: last }),
  ]
}

function claudeTurn({ number, at, prompt, thought, first, printed, last }: Turn): Value[] {
  const about = { isSidechain: false, sessionId: 'large', version: '2.1.327', cwd: '/workspace', timestamp: at }
  const record = (index: number, type: string, message: Value): Value => ({
    parentUuid: number === 0 && index === 0 ? null : index === 0 ? `${number - 1}-5` : `${number}-${index - 1}`,
    ...about,
    type,
    uuid: `${number}-${index}`,
    message,
  })
  const user = (index: number, content: unknown) => record(index, 'user', { role: 'user', content })
  const answer = (index: number, id: string, block: Value, reason: string) =>
    record(index, 'assistant', {
      id: `msg_${number}_${id}`,
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [block],
      stop_reason: reason,
    })
  const call = { type: 'tool_use', id: `call_${number}`, name: 'Bash', input: { command: 'sh check.sh' } }
  return [
    user(0, prompt),
    answer(1, '1', { type: 'thinking', thinking: thought, signature: 'c2ln' }, 'tool_use'),
    answer(2, '1', { type: 'text', text: first }, 'tool_use'),
    answer(3, '1', call, 'tool_use'),
    {
      ...user(4, [{ type: 'tool_result', tool_use_id: call.id, content: printed }]),
      toolUseResult: { stdout: printed },
    },
    answer(5, '2', { type: 'text', text: last }, 'end_turn'),
  ]
}

function geminiTurn({ number, at, prompt, thought, first, printed, last }: Turn): Value[] {
  const message = (index: number, type: string, about: Value): Value => ({
    id: `${number}-${index}`,
    timestamp: at,
    type,
    ...about,
  })
  const call = { id: `call_${number}`, name: 'run_shell_command', args: { command: 'sh check.sh' }, status: 'success' }
  const functionResponse = { id: call.id, name: call.name, response: { output: printed } }
  return [
    message(0, 'user', { content: [{ text: prompt }] }),
    message(1, 'gemini', {
      content: first,
      thoughts: [{ subject: 'Plan', description: thought }],
      model: 'gemini-2.5-flash',
      toolCalls: [{ ...call, result: [{ functionResponse }], resultDisplay: printed }],
    }),
    message(2, 'user', { content: [{ functionResponse }] }),
    message(3, 'gemini', { content: last, thoughts: [], model: 'gemini-2.5-flash' }),
  ]
}

function piTurn({ number, at, prompt, thought, first, printed, last }: Turn): Value[] {
  const entry = (index: number, message: Value): Value => ({
    type: 'message',
    id: `${number}-${index}`,
    parentId: number === 0 && index === 0 ? null : index === 0 ? `${number - 1}-3` : `${number}-${index - 1}`,
    timestamp: at,
    message,
  })
  const text = (words: string): Value => ({ type: 'text', text: words })
  const said = { role: 'assistant', provider: 'bench', model: 'scripted' }
  const call = { type: 'toolCall', id: `call_${number}`, name: 'bash', arguments: { command: 'sh check.sh' } }
  return [
    entry(0, { role: 'user', content: [text(prompt)] }),
    entry(1, { ...said, content: [{ type: 'thinking', thinking: thought }, text(first), call], stopReason: 'toolUse' }),
    entry(2, { role: 'toolResult', toolCallId: call.id, toolName: 'bash', content: [text(printed)], isError: false }),
    entry(3, { ...said, content: [text(last)], stopReason: 'stop' }),
  ]
}
