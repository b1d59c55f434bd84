// The reference part of docs/session-format.md: every event, type and document with its fields. It is read off the JSON
// Schemas, so that people read what programs check.
import { jsonSchemas } from './json-schemas.ts'

/** As much of JSON Schema as the schemas of sessions use. */
interface Schema {
  readonly $ref?: string
  readonly $defs?: Definitions
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Definitions
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema
  readonly minimum?: number
  readonly minLength?: number
  readonly description?: string
}
type Definitions = Readonly<Record<string, Schema>>

/** Which events stand together: by the word before the dot, or by the whole type. */
const groups: Readonly<Record<string, readonly string[]>> = {
  'Session events': ['session', 'event', 'custom'],
  'Input and turn events': ['input', 'turn', 'stop'],
  'Policy events': ['policy', 'permission.rule_added'],
  'Model events': ['prompt', 'model', 'answer', 'calls', 'wait'],
  'Call events': ['call', 'permission.decided', 'question', 'hook', 'tool'],
  'Workflow events': [
    'workflow',
    'verification',
    'before',
    'brief',
    'plan',
    'goal',
    'ledger',
    'todos',
    'workspace',
    'check',
    'checks',
    'statement',
  ],
  'Context events': ['context'],
  'Events of background commands': ['background', 'port'],
  'Events of child sessions': ['child'],
}

const begin = '<!-- reference: begin. `pnpm run docs` writes what follows; edits are lost. -->'
const end = '<!-- reference: end -->'

/** The document with its reference part as the schemas are now. */
export function withReference(document: string): string {
  const from = document.indexOf(begin)
  const to = document.indexOf(end)
  if (from < 0 || to < from) throw new Error(`docs/session-format.md needs a line "${begin}" and, below, "${end}".`)
  return [document.slice(0, from) + begin, ...reference(), document.slice(to)].join('\n\n')
}

function reference(): string[] {
  const documents: Definitions = jsonSchemas()
  const event = definition(documents, 'session-event')
  const snapshot = definition(documents, 'session-snapshot')
  const definitions = { ...event.$defs, ...snapshot.$defs }
  const listed = (definition(definitions, 'SessionEvent').oneOf ?? []).map(nameOf)
  const events = listed.map((name) => definition(definitions, name))
  const types = Object.keys(definitions).filter((name) => ![...listed, 'SessionEvent', 'ForeignEvent'].includes(name))
  return [
    '## Events',
    [...byGroup(events)].map(([group, members]) => `- ${group}: ${members.map(linkToEvent).join(', ')}`).join('\n'),
    'Every event has these fields:',
    table([
      typeRow,
      ...rows(pick(definition(definitions, 'SessionOpened'), (field) => field === 'seq' || field === 'at')),
    ]),
    'An event that is not listed here may have this one too; what else it holds is known to its writer:',
    table(rows(pick(definition(definitions, 'ForeignEvent'), (field) => !common.has(field)))),
    ...[...byGroup(events)].flatMap(([group, members]) => [`### ${group}`, ...members.flatMap(describeEvent)]),
    '## Types',
    ...types.toSorted().flatMap((name) => [`### ${name}`, ...describe(definition(definitions, name))]),
    '## Documents',
    '### Snapshot',
    ...describe(snapshot),
    '### Segment',
    ...describe(definition(documents, 'session-segment')),
  ]
}

const common = new Set(['type', 'seq', 'at'])
const typeRow: Row = [
  '`type`',
  '`string`',
  'yes',
  'what happened: one of the names above, or one that a newer version knows',
]

function byGroup(events: readonly Schema[]): Map<string, readonly Schema[]> {
  const groupOf = (type: string) =>
    Object.keys(groups).find((name) => groups[name]?.some((word) => word === type || word === type.split('.')[0]))
  const homeless = events.map(typeOf).find((type) => groupOf(type) === undefined)
  if (homeless !== undefined) throw new Error(`${homeless} is in no group; add it to the groups of session-format.ts.`)
  return new Map(Object.keys(groups).map((name) => [name, events.filter((event) => groupOf(typeOf(event)) === name)]))
}

function typeOf(event: Schema): string {
  return String(event.properties?.['type']?.const)
}

function linkToEvent(event: Schema): string {
  return `[${typeOf(event)}](#${typeOf(event).replace('.', '')})`
}

function describeEvent(event: Schema): string[] {
  return [`#### ${typeOf(event)}`, ...describe(pick(event, (field) => !common.has(field)))]
}

/** What a schema means, what it allows, and a table of its fields if it has any. */
function describe(schema: Schema): string[] {
  const fields = rows(schema)
  const allowed = fields.length > 0 ? `${written(schema)}, where the object has` : written(schema)
  return [
    ...(schema.description === undefined ? [] : [schema.description]),
    ...(schema.properties === undefined ? [allowed] : []),
    ...(fields.length > 0 ? [table(fields)] : []),
  ]
}

type Row = readonly [field: string, type: string, required: string, meaning: string]

/** The fields of an object, each followed by those of the objects in it that have no name of their own. */
function rows(schema: Schema, path = ''): Row[] {
  return inlineObjects(schema, path).flatMap(({ object, place }) =>
    Object.entries(object.properties ?? {}).flatMap(([name, value]): Row[] => {
      const field = place === '' ? name : `${place}.${name}`
      const required = object.required?.includes(name) ? 'yes' : 'no'
      return [[`\`${field}\``, written(value), required, value.description ?? ''], ...rows(value, field)]
    }),
  )
}

function inlineObjects(schema: Schema, place: string): { object: Schema; place: string }[] {
  if (schema.$ref !== undefined) return []
  if (schema.properties !== undefined) return [{ object: schema, place }]
  if (schema.items !== undefined) return inlineObjects(schema.items, `${place}[]`)
  return options(schema).flatMap((option) => inlineObjects(option, place))
}

/** The type as people write it, with links to the types that have a name. */
function written(schema: Schema): string {
  const names = namesIn(schema)
  if (names.length > 1) return schema.items ? `(${written(schema.items)})[]` : options(schema).map(written).join(' | ')
  const code = `\`${plain(schema)}\``
  const [name] = names
  if (name === undefined) return code
  return `[${code}](#${name.endsWith('Event') ? 'events' : name.toLowerCase()})`
}

function plain(schema: Schema): string {
  if (schema.$ref !== undefined) return nameOf(schema)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (options(schema).length > 0) return [...new Set(options(schema).map(plain))].join(' | ')
  if (schema.items !== undefined) return `${plain(schema.items)}[]`
  if (schema.additionalProperties !== undefined) return `{ [name]: ${plain(schema.additionalProperties)} }`
  const type = [schema.type].flat().join(' | ')
  if (schema.minimum !== undefined && schema.minimum > Number.MIN_SAFE_INTEGER) return `${type} ≥ ${schema.minimum}`
  return schema.minLength === undefined ? type : `non-empty ${type}`
}

function namesIn(schema: Schema): string[] {
  if (schema.$ref !== undefined) return [nameOf(schema)]
  const within = [schema.items, schema.additionalProperties, ...options(schema)]
  return within.flatMap((inner) => (inner === undefined ? [] : namesIn(inner)))
}

function options(schema: Schema): readonly Schema[] {
  return schema.anyOf ?? schema.oneOf ?? []
}

function nameOf({ $ref = '' }: Schema): string {
  return $ref.replace('#/$defs/', '')
}

function definition(definitions: Definitions, name: string): Schema {
  const found = definitions[name]
  if (found === undefined) throw new Error(`The JSON Schemas have no definition ${name}.`)
  return found
}

/** The object with some of its fields only. */
function pick(schema: Schema, wanted: (field: string) => boolean): Schema {
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(schema.properties ?? {}).filter(([name]) => wanted(name))),
  }
}

/** Cells are padded, as the formatter would do it. */
function table(fields: readonly Row[]): string {
  const lines = [['Field', 'Type', 'Required', 'Meaning'], ...fields].map((cells) =>
    cells.map((cell) => cell.replaceAll('|', '\\|')),
  )
  const widths = [0, 1, 2, 3].map((column) => Math.max(...lines.map((cells) => (cells[column] ?? '').length)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [header = [], ...body] = lines
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n')
}
