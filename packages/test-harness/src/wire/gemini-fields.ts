import { type JsonFields, fieldsOf, isObject } from '../history-faults/check.ts'
import { sayUnknownNames, type UnknownName } from './gemini-words.ts'
import type { Refusal } from './protocol.ts'

/** A message of the API: its fields, each with the message that it holds; anything may be in what is `any`. */
interface Shape {
  readonly [field: string]: Shape | 'any'
}

function plain(fields: string): Shape {
  return Object.fromEntries(fields.split(/\s+/).map((field) => [field, 'any']))
}

const blob: Shape = { inlineData: plain('data mimeType displayName'), fileData: plain('fileUri mimeType displayName') }

const content: Shape = {
  role: 'any',
  parts: {
    ...plain(
      `text thought thoughtSignature executableCode codeExecutionResult toolCall toolResponse videoMetadata
      mediaResolution partMetadata mediaProcessing audioTranscription speechMetadata`,
    ),
    ...blob,
    functionCall: plain('id name args partialArgs willContinue'),
    functionResponse: { ...plain('id name response scheduling willContinue'), parts: blob },
  },
}

/** A subset of OpenAPI, which has none of the words that JSON Schema has besides. */
const schema: Shape = {
  ...plain(
    `default description enum example format maxItems maxLength maxProperties maximum minItems minLength minProperties
    minimum nullable pattern propertyOrdering required title type`,
  ),
  get items() {
    return schema
  },
  get anyOf() {
    return schema
  },
  get properties(): Shape {
    return { '*': schema }
  },
}

/** The body. Sources: `Content`, `Part`, `Tool`, `Schema`, `GenerationConfig` of @google/genai 3.1 and the API reference. */
const body: Shape = {
  ...plain('model safetySettings cachedContent serviceTier store continuationToken labels'),
  contents: content,
  systemInstruction: content,
  toolConfig: {
    ...plain('retrievalConfig includeServerSideToolInvocations'),
    functionCallingConfig: plain('mode allowedFunctionNames streamFunctionCallArguments'),
  },
  tools: {
    ...plain(
      `retrieval googleMaps mcpServers codeExecution computerUse enterpriseWebSearch exaAiSearch googleSearch
      googleSearchRetrieval parallelAiSearch urlContext fileSearch`,
    ),
    functionDeclarations: {
      ...plain('behavior description name parametersJsonSchema responseJsonSchema'),
      parameters: schema,
      response: schema,
    },
  },
  generationConfig: {
    ...plain(
      `modelSelectionConfig responseJsonSchema audioTranscriptionConfig audioTimestamp candidateCount
      enableAffectiveDialog frequencyPenalty logprobs maxOutputTokens mediaResolution presencePenalty responseFormat
      responseLogprobs responseMimeType responseModalities routingConfig seed speechConfig stopSequences temperature topK
      topP enableEnhancedCivicAnswers translationConfig imageConfig`,
    ),
    responseSchema: schema,
    thinkingConfig: plain('includeThoughts thinkingBudget thinkingLevel'),
  },
}

/** The names of fields as JSON has them; they may also be written as in the definition of the API. */
export function inCamelCase(value: unknown): unknown {
  return renamed(value, body)
}

function renamed(value: unknown, shape: Shape | 'any'): unknown {
  if (shape === 'any') return value
  if (Array.isArray(value)) return value.map((item) => renamed(item, shape))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const name = nameIn(shape, key)
      return [name ?? key, renamed(item, name === undefined ? 'any' : (shape[name] ?? 'any'))]
    }),
  )
}

/** The field that is meant by a key. */
function nameIn(shape: Shape, key: string): string | undefined {
  if ('*' in shape) return '*'
  const camel = key.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())
  return camel in shape ? camel : undefined
}

/** What Gemini has no field for, anywhere in a body. It tells of all at once. */
export function geminiUnknownFields(value: unknown): readonly Refusal[] {
  const unknown = unknownIn(fieldsOf(value), body, '')
  if (unknown.length === 0) return []
  const said = sayUnknownNames(unknown)
  return [{ violation: { rule: 'unknownFields', message: said.message }, said }]
}

function unknownIn(value: JsonFields, shape: Shape, path: string): UnknownName[] {
  return Object.entries(value).flatMap(([key, item], at) => {
    const name = nameIn(shape, key)
    if (name === undefined) return [{ name: key, path }]
    const inner = shape[name]
    if (inner === undefined || inner === 'any') return []
    const place = name === '*' ? `${path}[${at}].value` : joined(path, inSnakeCase(name))
    return Array.isArray(item)
      ? item.flatMap((one, index) => unknownIn(fieldsOf(one), inner, `${place}[${index}]`))
      : unknownIn(fieldsOf(item), inner, place)
  })
}

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

function inSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
