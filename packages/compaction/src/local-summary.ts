import { callsOf, excerptOf, type Message, type SessionState, shownText, textOf } from '@loader/session-core'
import { compressLines, type RankedLine } from './compress-lines.ts'
import { earlierLines } from './earlier-summaries.ts'
import { type WeightedFact, factOf, factsIn } from './facts.ts'
import { mentionedFiles } from './mentioned-files.ts'
import { saidByUser } from './said-by-user.ts'
import { type SummaryBudget, summaryBudget } from './summary-budget.ts'
import { hasLabel, labelled, labels, valueOf } from './summary-labels.ts'
import { shownFiles } from './shown-files.ts'
import { isSummary } from './summary-message.ts'

const most = { files: 6, shown: 8, tools: 5, requests: 3 } as const

/**
 * A summary written without a model: equal messages give equal summaries. Earlier summaries are merged in, their facts
 * before new ones of the same weight.
 */
export function localSummary(
  state: SessionState,
  { folded }: { readonly folded: readonly Message[] },
  budget: SummaryBudget = summaryBudget(state.policy?.model?.contextWindow),
): string {
  const messages = folded.filter((message) => !isSummary(message))
  const earlier = earlierLines(folded)
  const lines: readonly RankedLine[] = [
    { text: 'Conversation summary:', rank: 0 },
    ...coreLines(state, messages, earlier).map((text) => ({ text, rank: 0 }) as const),
    ...remarks(messages, earlier).map((text) => ({ text, rank: 1 }) as const),
    ...facts(messages, earlier).map(({ text }) => ({ text: labelled(labels.fact, text), rank: 2 }) as const),
  ]
  return compressLines(lines, budget).text
}

function coreLines(state: SessionState, messages: readonly Message[], earlier: readonly string[]): string[] {
  const requests = messages.filter(saidByUser).map(wordsOf).filter(isSomething)
  const answer = wordsOf(messages.findLast((message) => message.role === 'assistant' && isSomething(wordsOf(message))))
  const current = answer || requests.at(-1) || valueOf(labels.current, earlier) || 'not said'
  const step = nextStep(state)
  const values = [
    [labels.scope, scopeOf(state) || valueOf(labels.scope, earlier) || requests[0] || 'not said'],
    [labels.current, current],
    [labels.pending, requests.at(-1) || valueOf(labels.pending, earlier) || current],
    [labels.files, filesLine(messages, earlier)],
    [labels.shown, shownLine(messages, earlier)],
    [labels.tools, usedTools(messages, most.tools, valueOf(labels.tools, earlier))],
    [labels.requests, requests.slice(-most.requests).join('; ') || valueOf(labels.requests, earlier) || ''],
    [labels.next, step],
  ] as const
  return values.filter(([, value]) => isSomething(value)).map(([label, value]) => labelled(label, value))
}

function remarks(messages: readonly Message[], earlier: readonly string[]): string[] {
  const count = labelled(labels.count, `${messages.length} messages`)
  return earlier.length === 0 ? [count] : [count, labelled(labels.merged, 'merged into this summary')]
}

/** The weightiest facts first. Facts from an earlier summary are replaced only by clearly weightier ones. */
function facts(messages: readonly Message[], earlier: readonly string[]): WeightedFact[] {
  return [...earlierFacts(earlier), ...factsIn(messages)].toSorted((one, other) => other.weight - one.weight)
}

const knownBefore = 1

/** In a summary written by a model, every line may be a fact. */
function earlierFacts(earlier: readonly string[]): WeightedFact[] {
  return earlier.flatMap((line) => {
    if (hasLabel(labels.fact, line)) return [known(line.slice(labels.fact.length + 2))]
    const isFrame =
      line.endsWith(':') || line.startsWith('…') || Object.values(labels).some((label) => hasLabel(label, line))
    return isFrame ? [] : [known(line)]
  })
}

function known(text: string): WeightedFact {
  return { text, weight: factOf(text).weight + knownBefore }
}

function filesLine(messages: readonly Message[], earlier: readonly string[]): string {
  const before = valueOf(labels.files, earlier)?.split(', ') ?? []
  return [...new Set([...mentionedFiles(messages, most.files), ...before])].slice(0, most.files).join(', ')
}

function shownLine(messages: readonly Message[], earlier: readonly string[]): string {
  const before = valueOf(labels.shown, earlier)?.split('; ') ?? []
  return [...new Set([...before, ...shownFiles(messages)])].slice(-most.shown).join('; ')
}

function scopeOf({ task }: SessionState): string {
  return task === null ? '' : excerptOf(shownText(task))
}

function nextStep({ todos }: SessionState): string {
  const next = todos.find(({ status }) => status === 'in_progress') ?? todos.find(({ status }) => status === 'pending')
  return next === undefined ? '' : excerptOf(next.text)
}

function wordsOf(message: Message | undefined): string {
  return message === undefined ? '' : excerptOf(textOf(message.content))
}

function isSomething(text: string): boolean {
  return text !== ''
}

/** The most used tools with their counts, added to those of `earlier`, a line of the same kind. */
function usedTools(messages: readonly Message[], most: number, earlier: string = ''): string {
  const counts = new Map<string, number>()
  for (const [, name, count] of earlier.matchAll(/(\S+) \((\d{1,9})\)/g)) counts.set(name ?? '', Number(count))
  for (const { content } of messages) {
    for (const { name } of callsOf(content)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, most)
    .map(([name, count]) => `${name} (${count})`)
    .join(', ')
}
