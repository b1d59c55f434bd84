import type { Usage } from '@loader/session-core'
import type {
  ImportedAnswer,
  Compaction,
  ImportedConversation,
  ConversationItem,
  Result,
  TakeItem,
} from '../conversation/conversation.ts'
import type { Again } from '../source/again.ts'
import { Counts, jsonLines } from '../source/json-lines.ts'
import { given, timeOf } from '../source/loose.ts'
import type { SourceFile } from '../source/source-file.ts'
import { answerPart, blocksOf, bringsResult, filesIn, resultsIn, textsIn } from './blocks.ts'
import { liveBranch } from './live-branch.ts'
import { type ClaudeBlock, type ClaudeUsage, SideRecord, type TreeRecord, WholeRecord } from './records.ts'
import { saidBy } from './said-by.ts'
import { lastWordsOfOthers } from './subagents.ts'

/** Parses a session of Claude Code: a tree of records in a file of lines. */
export function parseClaude(file: SourceFile, take: TakeItem): ImportedConversation {
  const counts = new Counts()
  const { tree, sides } = recordsOf(file, counts)
  const { path, left } = liveBranch(tree, sides)
  const others = lastWordsOfOthers(file)
  const items = new Branch(tree, others, take).itemsOf(path)
  const first = tree.find(({ cwd }) => cwd !== undefined) ?? tree[0]
  const custom = sides.findLast(({ customTitle }) => customTitle !== undefined)?.customTitle
  const made = sides.findLast(({ aiTitle }) => aiTitle !== undefined)?.aiTitle
  const title = custom ?? made
  return {
    source: {
      kind: 'claude-code',
      ...given('id', first?.sessionId ?? sides.find(({ sessionId }) => sessionId !== undefined)?.sessionId),
      ...given('version', first?.version),
    },
    ...(title !== undefined && { title: { text: title, by: custom === undefined ? 'model' : 'user' } }),
    ...given('cwd', first?.cwd),
    ...given('startedAt', timeOf(tree[0]?.timestamp)),
    items,
    records: counts.records(),
    branches: left,
    losses: [
      'System prompts, tool declarations and permissions are not taken over.',
      ...(others.size === 0 ? [] : [`Of ${others.size} asked on the side only the last words are taken over.`]),
    ],
  }
}

function recordsOf(file: SourceFile, counts: Counts): { tree: TreeRecord[]; sides: SideRecord[] } {
  const tree: TreeRecord[] = []
  const sides: SideRecord[] = []
  for (const { line, value, again } of jsonLines(file, counts)) {
    const record = WholeRecord.safeParse(value).data
    const side = record === undefined ? SideRecord.safeParse(value).data : undefined
    if (record !== undefined) {
      tree.push(inTree(record, line, again))
      if (!['user', 'assistant', 'system'].includes(record.type)) counts.skip(record.type)
    } else if (side === undefined) counts.skip('without a type')
    else {
      sides.push({ ...side, line })
      if (!['last-prompt', 'custom-title', 'ai-title'].includes(side.type)) counts.skip(side.type)
    }
  }
  return { tree, sides }
}

function inTree({ message, ...record }: WholeRecord, line: number, again: Again): TreeRecord {
  const { content, ...about } = message ?? {}
  return {
    ...record,
    line,
    ...(message && { message: about }),
    results: resultsIn(content),
    bringsResult: bringsResult(content),
    blocks: () => blocksOf(WholeRecord.parse(again()).message?.content),
  }
}

/**
 * Reads the items of a branch. Blocks of one answer and results of parallel calls can be on side branches, found by id.
 */
class Branch {
  readonly #blocksByAnswer = new Map<string, TreeRecord[]>()
  readonly #resultsByCall = new Map<string, TreeRecord[]>()
  readonly #others: ReadonlyMap<string, string>
  /** The id of a record's message: the id of its answer, or the record's own. */
  readonly #placeIds = new Map<string, string>()
  readonly #said = new Set<string>()
  readonly #take: TakeItem

  constructor(tree: readonly TreeRecord[], others: ReadonlyMap<string, string>, take: TakeItem) {
    this.#others = others
    this.#take = take
    for (const record of tree) {
      if (record.isSidechain === true) continue
      this.#placeIds.set(record.uuid, record.type === 'assistant' ? answerId(record) : record.uuid)
      if (record.type === 'assistant') push(this.#blocksByAnswer, answerId(record), record)
      if (record.type === 'user') for (const call of record.results) push(this.#resultsByCall, call, record)
    }
  }

  itemsOf(path: readonly TreeRecord[]): ConversationItem[] {
    return path.flatMap((record, index) => this.#itemsOf(record, path[index - 1]).map(this.#take))
  }

  #itemsOf(record: TreeRecord, before: TreeRecord | undefined): ConversationItem[] {
    switch (record.type) {
      case 'assistant':
        return this.#answerItems(record)
      case 'user':
        return userItems(record, this.#keptBy(before))
      case 'system':
        return record.subtype === 'api_error' ? [failure(record, 'tried again')] : []
      default:
        return []
    }
  }

  /** The messages that stay word for word, according to the boundary right before a summary. */
  #keptBy(boundary: TreeRecord | undefined): Kept {
    const { preTokens, postTokens, preservedMessages } = boundary?.compactMetadata ?? {}
    return {
      keeps: (preservedMessages?.uuids ?? []).flatMap((uuid) => this.#placeIds.get(uuid) ?? []),
      ...given('tokensBefore', preTokens),
      ...given('tokensAfter', postTokens),
    }
  }

  #answerItems(record: TreeRecord): ConversationItem[] {
    if (record.isApiErrorMessage === true) return [failure(record, 'gave up')]
    // A placeholder for an answer that never arrived.
    if (record.message?.model === '<synthetic>') return []
    const id = answerId(record)
    if (this.#said.has(id)) return []
    this.#said.add(id)
    const records = uniqueRecords(this.#blocksByAnswer.get(id) ?? [record])
    const answer = answerOf(id, records)
    const calls = answer.content.flatMap((part) => (part.type === 'call' ? [part.call.id] : []))
    const results = calls.flatMap((call) =>
      (this.#resultsByCall.get(call) ?? []).flatMap((one) => this.#resultItem(one, call)),
    )
    return [answer, ...results]
  }

  #resultItem(record: TreeRecord, callId: string): Result[] {
    const block = record.blocks().find((each) => each.type === 'tool_result' && each.tool_use_id === callId)
    if (block?.type !== 'tool_result') return []
    const content = blocksOf(block.content)
    const last = this.#others.get(callId)
    const text = [textsIn(content), ...(last === undefined ? [] : [`[its last words: ${last}]`])].join('\n')
    const files = filesIn(content)
    return [
      {
        kind: 'result',
        callId,
        outcome: outcomeOf(record, block),
        text,
        ...(files.length > 0 && { files }),
        ...permitOf(record),
        place: { line: record.line, id: record.uuid },
        ...given('at', timeOf(record.timestamp)),
      },
    ]
  }
}

function answerId({ message, uuid }: TreeRecord): string {
  return message?.id ?? uuid
}

function answerOf(id: string, records: readonly TreeRecord[]): ImportedAnswer {
  const [first] = records
  const last = records.at(-1)
  const { model, stop_reason, usage } = last?.message ?? {}
  return {
    kind: 'answer',
    content: records.flatMap(({ blocks }) => blocks().flatMap(answerPart)),
    ending: records.some(({ isAbortedMidStream }) => isAbortedMidStream === true) ? 'cut off' : 'whole',
    ...given('finishReason', finishReasons[stop_reason ?? '']),
    ...(usage && { usage: usageOf(usage) }),
    ...(model !== undefined && { model: `anthropic/${model}` }),
    place: { line: first?.line ?? 0, id },
    ...given('at', timeOf(last?.timestamp)),
  }
}

const finishReasons: Readonly<Record<string, NonNullable<ImportedAnswer['finishReason']>>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tool-calls',
  max_tokens: 'length',
  refusal: 'content-filter',
}

/** Every block of an answer repeats the figures; cached tokens are not included in the input tokens. */
function usageOf(usage: ClaudeUsage): Usage {
  const { input_tokens = 0, output_tokens = 0, output_tokens_details } = usage
  const { cache_creation_input_tokens: written = 0, cache_read_input_tokens: read = 0 } = usage
  return {
    inputTokens: input_tokens + written + read,
    outputTokens: output_tokens,
    cacheReadTokens: read,
    cacheWriteTokens: written,
    ...given('reasoningTokens', output_tokens_details?.thinking_tokens),
  }
}

function userItems(record: TreeRecord, kept: Kept): ConversationItem[] {
  const blocks = record.blocks()
  const place = { line: record.line, id: record.uuid }
  const at = given('at', timeOf(record.timestamp))
  const by = saidBy(record, blocks)
  switch (by) {
    case 'summary':
      return [{ kind: 'compaction', text: textsIn(blocks), ...kept, place, ...at }]
    case 'interrupted request':
      return [{ kind: 'stop', during: 'request', place, ...at }]
    case 'interrupted call':
      return [{ kind: 'stop', during: 'call', place, ...at }]
    case 'nobody':
      return []
    case 'user':
    case 'program': {
      const text = textsIn(blocks)
      const files = filesIn(blocks)
      if (text.trim() === '' && files.length === 0) return []
      return [{ kind: 'prompt', by, text, ...(files.length > 0 && { files }), place, ...at }]
    }
    default:
      return by satisfies never
  }
}

type Kept = Pick<Compaction, 'keeps' | 'tokensBefore' | 'tokensAfter'>

function failure(record: TreeRecord, afterwards: 'tried again' | 'gave up'): ConversationItem {
  const { error, blocks, apiErrorStatus, line, uuid, timestamp } = record
  const told = typeof error === 'object' ? error : undefined
  const status = apiErrorStatus ?? told?.status
  return {
    kind: 'failure',
    message: textsIn(blocks()) || told?.message || 'The request failed.',
    ...given('status', status),
    afterwards,
    place: { line, id: uuid },
    ...given('at', timeOf(timestamp)),
  }
}

/**
 * Interrupted and refused calls look the same, except that a refused one has the user's decision. On resumption the
 * program makes up results that say `interrupted` for calls without one, although such a call may have completed.
 */
function outcomeOf(record: TreeRecord, block: Extract<ClaudeBlock, { type: 'tool_result' }>): Result['outcome'] {
  if (record.permissionDecision?.decision === 'reject') return 'denied'
  if (record.toolDenialKind === 'interrupted') return 'unknown'
  if (block.is_error !== true) return 'ok'
  return record.toolDenialKind === undefined ? 'failed' : 'interrupted'
}

function permitOf({ permissionDecision }: TreeRecord): Pick<Result, 'permit'> {
  const { decision, source = 'unknown', reasonType, reasonCode } = permissionDecision ?? {}
  if (decision !== 'accept' && decision !== 'reject') return {}
  const permit = decision === 'accept' ? 'allow' : 'deny'
  return { permit: { permit, by: `claude-code (${source})`, ...given('reason', reasonType ?? reasonCode) } }
}

function uniqueRecords(records: readonly TreeRecord[]): TreeRecord[] {
  return [...new Map(records.map((record) => [record.uuid, record])).values()]
}

function push<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const values = map.get(key)
  if (values === undefined) map.set(key, [value])
  else values.push(value)
}
