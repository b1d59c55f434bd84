import {
  type CallFields,
  type HistoryCheck,
  type Checks,
  eachCall,
  type JsonFields,
  isPlainName,
  listOf,
  show,
} from './check.ts'

const longestId = 64

/** Every type that an item can have. Source: `ResponseInputItem` of openai 7.55. */
const itemTypes: readonly string[] =
  `message reasoning function_call function_call_output item_reference additional_tools apply_patch_call
  apply_patch_call_output code_interpreter_call compaction compaction_trigger computer_call computer_call_output
  configuration_update custom_tool_call custom_tool_call_output file_search_call image_generation_call local_shell_call
  local_shell_call_output mcp_approval_request mcp_approval_response mcp_call mcp_list_tools program program_output
  shell_call shell_call_output tool_search_call tool_search_output web_search_call`.split(/\s+/)

/** The items that clients bring; all others come from the model, or from tools that the server runs. */
const fromClient = /_output$|^(message|additional_tools|configuration_update|compaction_trigger|mcp_approval_response)$/

/** The kinds of items that have ids, and the letters in front of those. */
export const idPrefixes: Readonly<Partial<Record<string, string>>> = {
  message: 'msg',
  function_call: 'fc',
  reasoning: 'rs',
}

/** OpenAI responses. What comes and goes are items: a call is one, and so is what was thought. */
export const responsesChecks: Checks<'responses'> = {
  *rolesKnown(items) {
    for (const [index, item] of items.entries()) {
      const { role } = item
      if (kindOf(item) !== 'message' || knownRoles.some((known) => known === role)) continue
      yield [index, `${show(role)} is not one of the roles ${knownRoles.join(', ')}`]
    }
  },

  *itemsKnown(items) {
    for (const [index, item] of items.entries()) {
      const kind = kindOf(item)
      if (!itemTypes.includes(kind)) yield [index, `${show(kind)} is not a type of an item`]
    }
  },

  *callsAnswered(items) {
    for (const [index, item] of items.entries()) {
      for (const { id } of callsOf(item)) {
        const isAnswered = items.slice(index + 1).some((later) => isResult(later) && later['call_id'] === id)
        if (!isAnswered) yield [index, `call ${show(id)} has no function_call_output behind it`]
      }
    }
  },

  *resultsHaveCalls(items) {
    const called = new Set<unknown>()
    for (const [index, item] of items.entries()) {
      for (const { id } of callsOf(item)) called.add(id)
      const { call_id: id } = item
      if (isResult(item) && !called.has(id)) yield [index, `no item before makes the call ${show(id)}`]
    }
  },

  callIdsWellFormed: eachCall(callsOf, ({ id }) =>
    typeof id === 'string' && id.length > 0 && id.length <= longestId
      ? undefined
      : `has a call_id that is not a text of 1 to ${longestId} characters`,
  ),

  callNamesWellFormed: eachCall(callsOf, ({ name }) =>
    isPlainName(name) ? undefined : `calls a tool named ${show(name)}`,
  ),

  argumentsAreText: eachCall(callsOf, ({ input }) =>
    typeof input === 'string' ? undefined : 'has arguments that are no text',
  ),

  *contentPresent(items) {
    for (const [index, item] of items.entries()) {
      const { content } = item
      if (kindOf(item) === 'message' && (content === null || content === undefined)) yield [index, 'content is missing']
    }
  },

  *contentInRole(items) {
    for (const [index, item] of items.entries()) {
      if (kindOf(item) !== 'message') continue
      const allowed = contentTypes(item)
      const other = listOf(item['content']).find(({ type }) => !allowed.some((one) => one === type))
      if (other) yield [index, `${show(other['type'])} is nothing that ${show(item['role'])} brings`]
    }
  },

  *itemIdsWellFormed(items) {
    for (const [index, item] of items.entries()) {
      const { id } = item
      const prefix = idPrefixes[kindOf(item)]
      if (prefix === undefined || id === undefined || id === null) continue
      const isGood = typeof id === 'string' && /^[a-zA-Z0-9_-]{1,64}$/.test(id) && id.startsWith(prefix)
      if (!isGood) yield [index, `${show(id)} is not an id that begins with ${prefix}`]
    }
  },

  *itemIdsUnique(items) {
    const seen = new Set<unknown>()
    for (const [index, { id }] of items.entries()) {
      if (typeof id !== 'string') continue
      if (seen.has(id)) yield [index, `another item has the id ${id}`]
      seen.add(id)
    }
  },

  *reasoningFollowed(items) {
    for (const [index, item] of items.entries()) {
      if (kindOf(item) !== 'reasoning') continue
      const next = items[index + 1]
      if (next === undefined || !isOfAssistant(next)) yield [index, `nothing of the assistant follows ${named(item)}`]
    }
  },

  *reasoningKept(items) {
    for (const [index, item] of items.entries()) {
      const needed = reasoningOf(item)
      if (needed === undefined) continue
      const before = items.slice(0, index).findLastIndex((one) => !isOfAssistant(one))
      const isThere = items.slice(before + 1, index).some(({ id }) => id === needed)
      if (!isThere) yield [index, `${named(item)} came behind the reasoning ${needed}`]
    }
  },

  reasoningSealed: sealed,
}

const knownRoles = ['assistant', 'system', 'developer', 'user'] as const

/** A message may leave out that it is one. */
export function kindOf({ type, role }: JsonFields): string {
  if (typeof type === 'string') return type
  return role === undefined ? show(type) : 'message'
}

/** What a message of this role may consist of. */
export function contentTypes({ role }: JsonFields): readonly string[] {
  return role === 'assistant' ? ['output_text', 'refusal'] : ['input_text', 'input_image', 'input_file']
}

/** The id of the reasoning that a call came behind; the ids that the server makes tell. */
export function reasoningOf({ id }: JsonFields): string | undefined {
  return typeof id === 'string' ? /^fc_.*_(rs_\d+_\d+)$/.exec(id)?.[1] : undefined
}

/** How the ids of items tell which reasoning they came behind. */
export function itemId(prefix: string, answer: number, place: number, reasoning: string | undefined): string {
  return `${prefix}_${answer}_${place}${reasoning === undefined ? '' : `_${reasoning}`}`
}

function sealed(...[items]: Parameters<HistoryCheck>): ReturnType<HistoryCheck> {
  return items.flatMap((item, index): [number, string][] => {
    const kind = kindOf(item)
    if (kind === 'item_reference') return [[index, `${show(item['id'])} is referred to, and nothing is stored`]]
    const { encrypted_content: content } = item
    if (kind !== 'reasoning' || typeof content === 'string') return []
    return [[index, `${named(item)} has no encrypted_content, and nothing is stored`]]
  })
}

function callsOf(item: JsonFields): CallFields[] {
  if (kindOf(item) !== 'function_call') return []
  const { call_id: id, name, arguments: input } = item
  return [{ id, name, input }]
}

function isResult(item: JsonFields): boolean {
  return kindOf(item) === 'function_call_output'
}

function isOfAssistant(item: JsonFields): boolean {
  const kind = kindOf(item)
  return kind === 'message' ? item['role'] === 'assistant' : !fromClient.test(kind)
}

function named(item: JsonFields): string {
  return item['id'] === undefined ? kindOf(item) : show(item['id'])
}
