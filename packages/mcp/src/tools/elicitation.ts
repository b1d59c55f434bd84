import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/client'
import type { ToolContext } from '@loader/session-core/coding'
import { told } from './told-text.ts'

type Ask = NonNullable<ToolContext['ask']>
type Content = NonNullable<ElicitResult['content']>
type Value = Content[string]

/** What was asked and what became of it, for the result of the call. */
export interface Elicited {
  readonly result: ElicitResult
  readonly note: string
}

const mostFields = 12
const mostTries = 3
const decline = 'decline'

/** Asks the user what a server wants to know: first whether to answer at all, and then each field. */
export async function elicit(
  server: string,
  { message, requestedSchema }: ElicitRequestFormParams,
  ask: Ask | undefined,
): Promise<Elicited> {
  const asked = told(message, 2000)
  const fields = Object.entries(requestedSchema.properties ?? {}).slice(0, mostFields)
  const names = fields.map(([name, schema]) => told(titleOf(name, schema), 100))
  const wants = names.length === 0 ? '' : `\n\nIt wants to know: ${names.join(', ')}.`
  const title = `The MCP server ${server} asks`
  const first = await ask?.({
    title,
    text: `${asked}${wants}`,
    options: [
      { label: names.length === 0 ? 'accept' : 'answer' },
      { label: decline, description: 'the server is told that you do not want to' },
    ],
  })
  if (first === undefined) return declined('nobody answered, so it was declined', asked)
  if (!/^(answer|accept|yes|y)$/i.test(first.trim())) return declined('the user declined', asked)
  const content: Content = {}
  const required = new Set(requestedSchema.required ?? [])
  for (const [name, schema] of fields) {
    const value = await fieldValue({ title, name, schema, isRequired: required.has(name) }, ask)
    if (value === cancelled) return { result: { action: 'cancel' }, note: `${server} asked "${asked}"; it was left` }
    if (value !== undefined) content[name] = value
  }
  return { result: { action: 'accept', content }, note: `${server} asked the user, who answered` }
}

function declined(how: string, asked: string): Elicited {
  return { result: { action: 'decline' }, note: `the server asked the user "${asked.slice(0, 200)}"; ${how}` }
}

interface FieldSchema {
  readonly type?: unknown
  readonly title?: unknown
  readonly description?: unknown
  readonly default?: unknown
  readonly enum?: unknown
  readonly enumNames?: unknown
  readonly oneOf?: unknown
  readonly items?: unknown
  readonly minimum?: unknown
  readonly maximum?: unknown
}

interface Field {
  readonly title: string
  readonly name: string
  readonly schema: FieldSchema
  readonly isRequired: boolean
}

const leaveOut = 'leave out'
const cancelled = Symbol('cancelled')

/** Undefined: the user leaves it out. */
async function fieldValue(field: Field, ask: Ask | undefined): Promise<Value | undefined | typeof cancelled> {
  const { name, schema, isRequired, title } = field
  const choices = choicesOf(schema)
  const standard = standardOf(schema)
  const options = [
    ...choices.map(({ label }) => ({ label })),
    ...(standard === undefined || choices.length > 0 ? [] : [{ label: String(standard), description: 'as suggested' }]),
    ...(isRequired ? [] : [{ label: leaveOut }]),
  ]
  const about = typeof schema.description === 'string' ? `: ${told(schema.description, 500)}` : ''
  let fault = ''
  for (let attempt = 0; attempt < mostTries; attempt += 1) {
    const text = `${fault}${told(titleOf(name, schema), 100)}${about}${kindOf(schema)}`
    const answer = await ask?.({ title, text, ...(options.length > 0 && { options }) })
    if (answer === undefined) return cancelled
    if (!isRequired && answer.trim().toLowerCase() === leaveOut) return standard
    const value = valueOf(answer.trim(), schema, choices)
    if (value !== undefined) return value
    fault = `${JSON.stringify(answer.slice(0, 50))} does not fit. `
  }
  return cancelled
}

function titleOf(name: string, schema: FieldSchema): string {
  return typeof schema.title === 'string' ? schema.title : name
}

function kindOf({ type, items }: FieldSchema): string {
  if (items !== undefined) return ' (one or more, with commas)'
  return type === 'number' || type === 'integer' ? ' (a number)' : ''
}

function standardOf({ default: value }: FieldSchema): Value | undefined {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined
}

interface Choice {
  readonly label: string
  readonly value: string | boolean
}

function choicesOf({ type, enum: values, enumNames, oneOf, items }: FieldSchema): readonly Choice[] {
  if (type === 'boolean') return [true, false].map((value) => ({ label: value ? 'yes' : 'no', value }))
  if (Array.isArray(values)) {
    const names: readonly unknown[] = Array.isArray(enumNames) ? enumNames : []
    return values.slice(0, 20).map((value, index) => choice(value, names[index]))
  }
  if (Array.isArray(oneOf)) return titled(oneOf)
  if (typeof items !== 'object' || items === null) return []
  const inner = items as FieldSchema & { readonly anyOf?: unknown }
  return Array.isArray(inner.anyOf) ? titled(inner.anyOf) : choicesOf({ ...inner, type: 'string' })
}

function titled(list: readonly unknown[]): readonly Choice[] {
  return list.slice(0, 20).map((one) => {
    const { const: value, title } = (one ?? {}) as { readonly const?: unknown; readonly title?: unknown }
    return choice(value, title)
  })
}

function choice(value: unknown, title: unknown): Choice {
  return { label: told(typeof title === 'string' ? title : String(value), 100), value: String(value) }
}

function valueOf(answer: string, schema: FieldSchema, choices: readonly Choice[]): Value | undefined {
  const chosen = (text: string) =>
    choices.find(({ label, value }) => label.toLowerCase() === text.toLowerCase() || String(value) === text)?.value
  if (schema.items !== undefined) {
    const values = answer.split(',').map((one) => chosen(one.trim()))
    return values.every((one) => typeof one === 'string') ? values : undefined
  }
  if (choices.length > 0) return chosen(answer)
  if (schema.type !== 'number' && schema.type !== 'integer') return answer
  const number = Number(answer)
  if (answer === '' || !Number.isFinite(number)) return undefined
  if (schema.type === 'integer' && !Number.isInteger(number)) return undefined
  const isBelow = typeof schema.minimum === 'number' && number < schema.minimum
  const isAbove = typeof schema.maximum === 'number' && number > schema.maximum
  return isBelow || isAbove ? undefined : number
}
