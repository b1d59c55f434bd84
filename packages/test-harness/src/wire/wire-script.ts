import type { Immutable } from '@loader/session-core'
import * as z from 'zod'
import { type Dialect, type HistoryRule, historyRules } from '../history-faults/rules.ts'
import { Completion } from '../script/script.ts'
import { markSources } from './prompt-cache/rules.ts'
import type { WireRequest } from './wire-request.ts'

const Pattern = z.string().min(1).refine(isPattern, 'is not a regular expression')

/** A condition on a text of a request. */
export const WireMatch = z.union([
  z.string().min(1).describe('stands in the text'),
  z.strictObject({ matches: Pattern.describe('a regular expression that fits the text') }),
  z.null().describe('there is no such text'),
])
export type WireMatch = Immutable<z.infer<typeof WireMatch>>

/** Which request a line answers. All conditions must hold. */
export const When = z.strictObject({
  lastResult: WireMatch.optional().describe('one of the results of tools behind the last answer'),
  lastUser: WireMatch.optional().describe('the last words of the user'),
  system: WireMatch.optional().describe('the instructions'),
  model: WireMatch.optional().describe('the model that is asked for'),
})
export type When = Immutable<z.infer<typeof When>>

/** A fault in the bytes of an answer. */
export const WireFault = z.discriminatedUnion('type', [
  z
    .strictObject({
      type: z.literal('cut_bytes'),
      after: z.int().min(0).describe('bytes of the body that are sent before'),
    })
    .describe('The connection closes in the middle of the body.'),
  z
    .strictObject({
      type: z.literal('malformed_event'),
      after: z.int().min(0).optional().describe('chunks that arrive before; absent means all that the line has'),
      raw: z.string().optional().describe('what stands there instead of JSON'),
    })
    .describe('An event of the stream is no JSON; the others follow. Without a stream the whole body is none.'),
])
export type WireFault = Immutable<z.infer<typeof WireFault>>

/** How the bytes of an answer are sent. */
export const OnTheWire = z.strictObject({
  fault: WireFault.optional().describe('what goes wrong with the bytes'),
  bytesPerWrite: z.int().min(1).optional().describe('the body goes out in pieces of this size: 1 cuts every umlaut'),
})
export type OnTheWire = Immutable<z.infer<typeof OnTheWire>>

const faultsThatGoOn: readonly string[] = ['drip', 'malformed_call', 'duplicate_call_id', 'empty_answer']

/** A line of a script, with options that only a server supports. */
export const WireLine = Completion.safeExtend({
  when: When.optional().describe('the line answers only a request that fits'),
  repeat: z
    .union([z.int().min(1), z.literal('any')])
    .optional()
    .describe('how many requests it answers; any includes none; absent means one'),
  wire: OnTheWire.optional().describe('how it goes over HTTP'),
}).superRefine(({ fault, wire }, context) => {
  if (fault && wire?.fault && !faultsThatGoOn.includes(fault.type))
    context.addIssue(`${fault.type} ends the answer, so that ${wire.fault.type} is never reached`)
})
export type WireLine = Immutable<z.infer<typeof WireLine>>

/** A line, or a function that makes it from the request and its number. The function may throw assertion errors. */
export type WireScriptLine = WireLine | ((request: WireRequest, number: number) => WireLine)

/** A model that the server lists, with its capabilities. */
export const WireModel = z.strictObject({
  id: z.string().min(1).describe('the name that requests use'),
  contextWindow: z.int().min(1).optional().describe('tokens; absent means that there is no limit'),
  capabilities: z
    .array(z.enum(['tools', 'thinking', 'vision']))
    .optional()
    .describe('absent means all'),
})
export type WireModel = Immutable<z.infer<typeof WireModel>>

/** Rules of the server in addition to `historyRules`. */
export const requestRules = {
  json: 'The body is JSON.',
  headers: 'The headers that the provider demands are there.',
  key: 'The key is one that the server knows.',
  schema: 'The body has the fields that the provider demands.',
  unknownFields: 'The body has no field that the provider does not know. Off for chat completions, unless switched on.',
  model: 'The model is one that the server has.',
  capability: 'The model can do what the request wants.',
  tools: 'The tools have good names and schemas.',
  thinkingSettings: 'How much to think is said as the model knows it: by budget, adaptive, level or effort.',
  thinkingUnchanged: 'A thinking block comes back with the text that its signature was made for.',
  thinkingBound: 'Claude Fable 5.1: thinking comes back behind the same instructions, tools and messages as before.',
  thinkingSealed: 'Encrypted thinking and thought signatures come back as the server gave them.',
  cacheMarks: 'Anthropic: at most four cache marks, none on thoughts and empty texts, those of an hour first.',
  window: 'The request fits into the context window.',
} as const satisfies Readonly<Record<string, string>>

/** The name of a rule for single requests. */
export type RequestRule = keyof typeof requestRules

const github = 'https://github.com'

/** Where providers document or enforce the rules that are not self-evident. */
export const requestRuleSources: Readonly<Partial<Record<RequestRule, Readonly<Partial<Record<Dialect, string>>>>>> = {
  unknownFields: {
    openai: `${github}/nashsu/llm_wiki/issues/336`,
    responses: `${github}/openai/openai-python/issues/2677`,
    anthropic: `${github}/microsoft/autogen/issues/3034`,
    gemini: `${github}/crewAIInc/crewAI/issues/2457`,
  },
  thinkingBound: { anthropic: 'https://platform.claude.com/docs/en/build-with-claude/thinking#preserved-thinking' },
  thinkingSealed: {
    responses: `${github}/openai/codex/issues/8119`,
    gemini: `${github}/google-gemini/gemini-cli/issues/13467`,
  },
  thinkingSettings: {
    anthropic: `${github}/zhukunpenglinyutong/jetbrains-cc-gui/issues/1003`,
    responses: `${github}/openai/openai-agents-python/issues/2089`,
    openai: `${github}/egoist/chatwise-releases/issues/1257`,
    gemini: `${github}/earendil-works/pi/issues/3460`,
  },
  cacheMarks: { anthropic: markSources.order },
  tools: { gemini: `${github}/google-gemini/gemini-cli/issues/7878` },
  window: {
    responses: `${github}/openai/codex/issues/8632`,
    gemini: `${github}/google-gemini/gemini-cli/issues/6678`,
  },
}

/** The name of a rule that the server enforces; scripts switch it on or off by this name. */
export type WireRule = HistoryRule | RequestRule

const ruleNames = [
  'key',
  'unknownFields',
  'capability',
  'tools',
  'thinkingSettings',
  'thinkingUnchanged',
  'thinkingBound',
  'thinkingSealed',
  'cacheMarks',
  ...Object.keys(historyRules),
] as const

/** The settings of a script besides its lines. */
const settings = {
  key: z.string().min(1).optional().describe('the API key whose requests get this script; absent: any other'),
  order: z
    .enum(['requests', 'conversation'])
    .optional()
    .describe(
      'requests: a line for each request, in order. conversation: the line behind the answers that the request ' +
        'carries, so that a request whose answer was lost gets it again. absent: requests',
    ),
  models: z.array(WireModel).min(1).optional().describe('absent: one called scripted, and every other name works'),
  usage: z
    .enum(['scripted', 'counted'])
    .optional()
    .describe(
      'counted: what a line does not tell of its tokens is counted, a quarter of the bytes, and Anthropic has its ' +
        'prompt cache. absent: scripted',
    ),
  rules: z
    .partialRecord(z.enum(ruleNames), z.enum(['on', 'off']))
    .optional()
    .describe('rules that are switched'),
}

/** The script of one model as a file. */
export const WireScript = z.strictObject({
  $schema: z.string().optional().describe('for editors'),
  lines: z.array(WireLine).describe('what the model answers, in order'),
  ...settings,
})
export type WireScript = Immutable<z.infer<typeof WireScript>>

/** The name is part of the URL. */
const ScriptName = z.string().regex(/^(?!(v1|v1beta|api)$)[A-Za-z0-9][A-Za-z0-9_-]*$/, 'cannot be the name of a script')

/** Several scripts in one file, selected by key or path. */
export const WireScripts = z.strictObject({
  $schema: z.string().optional().describe('for editors'),
  scripts: z.record(ScriptName, WireScript).describe('by name, which is also the path'),
})
export type WireScripts = Immutable<z.infer<typeof WireScripts>>

/** A script whose lines may be functions. */
export type WireScriptSource = Omit<WireScript, '$schema' | 'lines'> & { readonly lines: readonly WireScriptLine[] }

export const ScriptSettings = z.strictObject(settings)

function isPattern(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
