import type { Dialect, RuleOf } from './rules.ts'

/** Checks a history against one rule: yields each message that breaks it, with the reason. */
export type HistoryCheck = (messages: readonly JsonFields[]) => Iterable<readonly [index: number, message: string]>

/** A check for every rule of a dialect. */
export type Checks<Of extends Dialect> = { readonly [Rule in RuleOf<Of>]: HistoryCheck }

/** A JSON object as a provider receives it: fields may be missing or of any type. */
export type JsonFields = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function fieldsOf(value: unknown): JsonFields {
  return isObject(value) ? value : {}
}

export function listOf(value: unknown): readonly JsonFields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : []
}

/** A call, independent of its place in the dialect's messages. */
export interface CallFields {
  readonly id: unknown
  readonly name: unknown
  readonly input: unknown
}

export const messagesPresent: HistoryCheck = (messages) => (messages.length === 0 ? [[0, 'there is no message']] : [])

export function rolesKnown(...roles: readonly string[]): HistoryCheck {
  return (messages) =>
    messages.flatMap(({ role }, index) =>
      roles.some((known) => known === role)
        ? []
        : [[index, `${show(role)} is not one of the roles ${roles.join(', ')}`]],
    )
}

export function callIdsUnique(callsOf: (message: JsonFields) => readonly CallFields[]): HistoryCheck {
  return function* (messages) {
    const seen = new Set<unknown>()
    for (const [index, message] of messages.entries()) {
      for (const { id } of callsOf(message)) {
        if (seen.has(id)) yield [index, `another call has the id ${show(id)}`]
        seen.add(id)
      }
    }
  }
}

/** Makes a check that examines each call separately. */
export function eachCall(
  callsOf: (message: JsonFields) => readonly CallFields[],
  problemOf: (call: CallFields) => string | undefined,
): HistoryCheck {
  return function* (messages) {
    for (const [index, message] of messages.entries()) {
      for (const call of callsOf(message)) {
        const problem = problemOf(call)
        if (problem !== undefined) yield [index, `call ${show(call.id ?? call.name)} ${problem}`]
      }
    }
  }
}

export function inputIsObject({ input }: CallFields): string | undefined {
  return isObject(input) ? undefined : 'has arguments that are no object'
}

/** Whether OpenAI accepts the name of a tool. */
export function isPlainName(name: unknown): name is string {
  return typeof name === 'string' && /^[a-zA-Z0-9_-]+$/.test(name)
}

export function show(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined')
}
