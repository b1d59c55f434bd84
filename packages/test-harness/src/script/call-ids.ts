import type { Completion, ScriptedCall, ScriptedPart, ScriptLine } from './script.ts'

/**
 * The same lines with an id on every call. Ids are counted over the whole script and do not depend on the run: another
 * process that continues the script uses the same ids.
 */
export function withCallIds(lines: readonly ScriptLine[]): readonly ScriptLine[] {
  const given = new Set(lines.flatMap((line) => (typeof line === 'function' ? [] : callsOf(line).map(({ id }) => id))))
  let count = 0
  const nextId = () => {
    do count += 1
    while (given.has(`call_${count}`))
    return `call_${count}`
  }
  let before: string | undefined
  return lines.map((line, at) => {
    if (typeof line === 'function') return line
    const numbered = withIds(line, at + 1, nextId, before)
    before = callsOf(numbered).at(-1)?.id ?? before
    return numbered
  })
}

/** Lines made by a function are not known in advance: their calls are counted within the line, `call_3_1`. */
export function withLineCallIds(line: Completion, number: number): Completion {
  let count = 0
  return withIds(line, number, () => `call_${number}_${(count += 1)}`)
}

function withIds(line: Completion, number: number, nextId: () => string, before?: string): Completion {
  const last = callsOf(line).length - 1
  let index = -1
  let previous = before
  return mapCalls(line, (call) => {
    index += 1
    const repeats = line.fault?.type === 'duplicate_call_id' && index === last
    const id = repeats ? (line.fault.id ?? previous) : (call.id ?? nextId())
    if (id === undefined) {
      throw new Error(
        `Line ${number} of the script repeats the id of the call before, but there is none. Name the id in the fault.`,
      )
    }
    previous = id
    return { ...call, id }
  })
}

function callsOf({ calls = [], content = [] }: Completion): readonly ScriptedCall[] {
  return [...calls, ...content.flatMap((part) => (part.type === 'call' ? [part.call] : []))]
}

function mapCalls(line: Completion, change: (call: ScriptedCall) => ScriptedCall): Completion {
  const changePart = (part: ScriptedPart) => (part.type === 'call' ? { ...part, call: change(part.call) } : part)
  return {
    ...line,
    ...(line.calls && { calls: line.calls.map(change) }),
    ...(line.content && { content: line.content.map(changePart) }),
  }
}
