import type { Message } from '@loader/session-core'
import { anthropicChecks } from './anthropic.ts'
import { type HistoryCheck, fieldsOf } from './check.ts'
import { inDialect } from './from-messages.ts'
import { geminiChecks } from './gemini.ts'
import { ollamaChecks } from './ollama.ts'
import { openaiChecks } from './openai.ts'
import { responsesChecks } from './responses.ts'
import { type Dialect, type HistoryRule, historyRules, type RuleDescription } from './rules.ts'

/** One fault in a message history for which a provider would refuse it. */
export interface HistoryFault {
  readonly rule: HistoryRule
  /** The place of the message in the history. */
  readonly index: number
  /** What is wrong there. */
  readonly message: string
}

/** Which rules `historyFaults` checks. */
export interface HistoryOptions {
  /** Rules that hold only for some models or requests are off by default; all others are on. */
  readonly rules?: Readonly<Partial<Record<HistoryRule, 'on' | 'off'>>>
}

/**
 * The faults for which a provider would refuse a history: the messages of a request to OpenAI (chat completions),
 * Anthropic (messages) or Ollama (chat), the items of one to OpenAI (responses), the contents of one to Gemini, as they
 * are sent. `historyRules` has every rule with its source.
 */
export function historyFaults(
  messages: readonly object[],
  dialect: Dialect,
  { rules = {} }: HistoryOptions = {},
): HistoryFault[] {
  const history = messages.map(fieldsOf)
  const faults = rulesOf(dialect)
    .filter(([rule, { checked }]) => (rules[rule] ?? (checked === 'always' ? 'on' : 'off')) === 'on')
    .flatMap(([rule, , check]) => [...check(history)].map(([index, message]) => ({ rule, index, message })))
  return faults.toSorted((one, other) => one.index - other.index)
}

/** The same for the messages of a session, converted to the simplest form of the dialect. */
export function messageFaults(
  messages: Iterable<Message>,
  dialect: Dialect,
  options: HistoryOptions = {},
): HistoryFault[] {
  const converted = inDialect([...messages], dialect)
  const faults = historyFaults(
    converted.map(({ message }) => message),
    dialect,
    options,
  )
  return faults.map((fault) => ({ ...fault, index: converted[fault.index]?.from ?? fault.index }))
}

const checks: Readonly<Record<Dialect, Readonly<Partial<Record<HistoryRule, HistoryCheck>>>>> = {
  openai: openaiChecks,
  responses: responsesChecks,
  anthropic: anthropicChecks,
  gemini: geminiChecks,
  ollama: ollamaChecks,
}

function rulesOf(dialect: Dialect): (readonly [HistoryRule, RuleDescription, HistoryCheck])[] {
  const all = Object.entries(historyRules) as [HistoryRule, RuleDescription][]
  return all.flatMap(([rule, description]) => {
    const check = checks[dialect][rule]
    return check ? [[rule, description, check] as const] : []
  })
}
