import {
  type CallFields,
  type Checks,
  eachCall,
  type JsonFields,
  fieldsOf,
  inputIsObject,
  isObject,
  listOf,
  messagesPresent,
  show,
} from './check.ts'

/** What stands for a signature in a history that another model has begun. */
export const anySignature: readonly unknown[] = [
  'skip_thought_signature_validator',
  'context_engineering_is_the_way_to_go',
]

/** The things that a part can hold; exactly one of them makes it a part. */
const data: readonly string[] = [
  'text',
  'inlineData',
  'functionCall',
  'functionResponse',
  'fileData',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
]

/** The contents of Gemini, in the names that JSON has for its fields. */
export const geminiChecks: Checks<'gemini'> = {
  messagesPresent,
  argumentsAreObject: eachCall(callsOf, ({ id, name, input }) =>
    input === undefined ? undefined : inputIsObject({ id, name, input }),
  ),

  *rolesKnown(contents) {
    for (const [index, { role }] of contents.entries()) {
      const isKnown = ['user', 'model', 'function', 'tool', undefined].some((known) => known === role)
      if (!isKnown) yield [index, `${show(role)} is not one of the roles user, model`]
    }
  },

  *contentPresent(contents) {
    for (const [index, content] of contents.entries()) {
      if (partsOf(content).length === 0) yield [index, 'it has no parts']
    }
  },

  *partsHoldData(contents) {
    for (const [index, content] of contents.entries()) {
      const at = emptyPart(content)
      if (at >= 0) yield [index, `part ${at} holds nothing`]
    }
  },

  callNamesWellFormed: eachCall(callsOf, ({ name }) =>
    typeof name === 'string' && /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/.test(name)
      ? undefined
      : `calls a tool named ${show(name)}`,
  ),

  *callsInTurn(contents) {
    for (const { begin, index, calls } of answersIn(contents))
      if (calls.length > 0 && begin === 0) yield [index, 'it makes calls, and nothing comes before']
  },

  *callsAnswered(contents) {
    for (const { index, end, calls } of answersIn(contents)) {
      const results = resultsOf(contents[end] ?? {}).length
      if (calls.length > 0 && calls.length !== results)
        yield [index, `${calls.length} calls have ${results} results in the next content`]
    }
  },

  *resultsHaveCalls(contents) {
    const called = answersIn(contents).flatMap(({ end, calls }) => (calls.length > 0 ? [end] : []))
    for (const [index, content] of contents.entries()) {
      if (resultsOf(content).length > 0 && !called.includes(index)) yield [index, 'the turn before makes no calls']
    }
  },

  *resultsNamed(contents) {
    for (const [index, content] of contents.entries()) {
      const at = partsOf(content).findIndex(({ functionResponse: result }) => isObject(result) && !result['name'])
      if (at >= 0) yield [index, `the result in part ${at} has no name`]
    }
  },

  *resultsAreObjects(contents) {
    for (const [index, content] of contents.entries()) {
      if (resultsOf(content).some(({ response }) => !isObject(response))) yield [index, 'a response is not an object']
    }
  },

  *signaturesPresent(contents) {
    const begin = contents.findLastIndex((content) => content['role'] !== 'model' && resultsOf(content).length === 0)
    for (const { index, calls } of answersIn(contents)) {
      const [first] = calls
      if (index > begin && first !== undefined && !first['thoughtSignature'])
        yield [index, `the call of ${show(fieldsOf(first['functionCall'])['name'])} has no thoughtSignature`]
    }
  },
}

/** What the model said in a row: clients send the pieces of a stream as contents of their own. */
interface Answer {
  /** Where it begins, and the place behind its end. */
  readonly begin: number
  readonly end: number
  /** The content of its first call, or where it begins. */
  readonly index: number
  /** Its parts that call. */
  readonly calls: readonly JsonFields[]
}

function answersIn(contents: readonly JsonFields[]): readonly Answer[] {
  const answers: Answer[] = []
  for (const [index, content] of contents.entries()) {
    if (content['role'] !== 'model') continue
    const calls = partsOf(content).filter(({ functionCall: call }) => isObject(call))
    const last = answers.at(-1)
    if (last === undefined || last.end < index) {
      answers.push({ begin: index, end: index + 1, index, calls })
      continue
    }
    const first = last.calls.length > 0 ? last.index : index
    answers.splice(-1, 1, { begin: last.begin, end: index + 1, index: first, calls: [...last.calls, ...calls] })
  }
  return answers
}

export function partsOf({ parts }: JsonFields): readonly JsonFields[] {
  return listOf(parts)
}

/** The place of the first part that holds nothing, or -1. */
export function emptyPart(content: JsonFields): number {
  return partsOf(content).findIndex((part) => !holdsData(part))
}

function holdsData(part: JsonFields): boolean {
  return data.some((key) => part[key] !== undefined && part[key] !== null)
}

function callsOf(content: JsonFields): CallFields[] {
  return partsOf(content).flatMap(({ functionCall: call }) => {
    if (!isObject(call)) return []
    return [{ id: call['id'], name: call['name'], input: call['args'] }]
  })
}

function resultsOf(content: JsonFields): readonly JsonFields[] {
  return partsOf(content).flatMap(({ functionResponse: result }) => (isObject(result) ? [result] : []))
}
