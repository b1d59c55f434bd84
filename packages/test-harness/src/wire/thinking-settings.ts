import { type JsonFields, fieldsOf } from '../history-faults/check.ts'
import type { Refusal } from './protocol.ts'
import type { WireRequest } from './wire-request.ts'

/** A sentence of the provider when a request says how much to think in a way that the model does not know. */
type Fault = string | undefined

/**
 * What providers refuse of the settings of thinking. Which settings there are depends on the generation of the model;
 * nothing is known of models with other names.
 *
 * Anthropic: https://platform.claude.com/docs/en/build-with-claude/thinking and …/effort
 * OpenAI: https://developers.openai.com/api/docs/guides/reasoning
 * Gemini: https://ai.google.dev/gemini-api/docs/thinking
 */
export function thinkingFaults({ protocol, model }: WireRequest, value: unknown): readonly Refusal[] {
  const body = fieldsOf(value)
  return faultsOf(protocol, model, body).flatMap((message) => {
    if (message === undefined) return []
    return [{ violation: { rule: 'thinkingSettings', message }, said: { status: 400, message } } as const]
  })
}

function faultsOf(protocol: WireRequest['protocol'], model: string, body: JsonFields): readonly Fault[] {
  switch (protocol) {
    case 'anthropic':
      return [...ofSampling(body), ...ofClaude(model, body)]
    case 'responses':
      return ofOpenAI('reasoning.effort', fieldsOf(body['reasoning'])['effort'], model)
    case 'openai':
      return ofOpenAI('reasoning_effort', body['reasoning_effort'], model)
    case 'gemini':
      return ofGemini(model, fieldsOf(fieldsOf(body['generationConfig'])['thinkingConfig']))
    case 'ollama':
      return []
    default:
      return protocol satisfies never
  }
}

function ofSampling({ thinking, temperature, top_k: topK, tool_choice: choice }: JsonFields): readonly Fault[] {
  const { type } = fieldsOf(thinking)
  if (type === undefined || type === 'disabled') return []
  const isForced = ['any', 'tool'].includes(String(fieldsOf(choice)['type']))
  return [
    isGiven(temperature) && temperature !== 1
      ? '`temperature` may only be set to 1 when thinking is enabled.'
      : undefined,
    isGiven(topK) ? '`top_k` must be unset when thinking is enabled.' : undefined,
    isForced ? 'Thinking may not be enabled when tool_choice forces tool use.' : undefined,
  ]
}

/** Generations of Claude: by budget, adaptive, and those that cannot be without. Those of 4.6 think either way. */
const onlyBudget = /claude-(3|(opus|sonnet|haiku)-4(-[015](?!\d)|[-@]\d{8}|$))/
const onlyAdaptive = /claude-(opus-4-[78]|(opus|sonnet|haiku|fable|mythos)-5)/
const always = /claude-((opus|sonnet)-5-5|fable|mythos)/
const withoutEffort = /claude-(3|haiku-4-5|sonnet-4-5|opus-4-[01](?!\d)|(opus|sonnet)-4([-@]\d{8}|$))/

function ofClaude(model: string, { thinking, output_config: config, temperature }: JsonFields): readonly Fault[] {
  const { type } = fieldsOf(thinking)
  const { effort } = fieldsOf(config)
  const isNew = onlyAdaptive.test(model)
  return [
    type === 'enabled' && isNew
      ? '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and ' +
        '"output_config.effort" to control thinking behavior.'
      : undefined,
    type === 'adaptive' && onlyBudget.test(model) ? 'adaptive thinking is not supported on this model' : undefined,
    type === 'disabled' && always.test(model) ? '"thinking.type.disabled" is not supported for this model.' : undefined,
    type === 'between_tools' && isNew && !/sonnet-5-5/.test(model)
      ? '"thinking.type.between_tools" is not supported for this model.'
      : undefined,
    effort !== undefined && withoutEffort.test(model) ? 'This model does not support the effort parameter.' : undefined,
    isGiven(temperature) && temperature !== 1 && isNew ? '`temperature` is not supported for this model.' : undefined,
  ]
}

function ofOpenAI(param: string, effort: unknown, model: string): readonly Fault[] {
  if (!isGiven(effort)) return []
  if (/^(gpt-3|gpt-4|chatgpt-|gpt-5-chat)/.test(model))
    return [`Unsupported parameter: '${param}' is not supported with this model.`]
  const levels = effortsOf(model)
  if (levels === undefined || levels.includes(String(effort))) return []
  const listed = levels.map((level) => `'${level}'`).join(', ')
  return [
    `Unsupported value: '${param}' does not support '${String(effort)}' with this model. Supported values are: ${listed}.`,
  ]
}

function effortsOf(model: string): readonly string[] | undefined {
  if (model.startsWith('gpt-5-pro')) return ['high']
  if (/^gpt-5($|-\d{4}|-mini|-nano)/.test(model)) return ['minimal', 'low', 'medium', 'high']
  if (model.startsWith('gpt-5.1')) return ['none', 'low', 'medium', 'high']
  return /^o[134]/.test(model) ? ['low', 'medium', 'high'] : undefined
}

function ofGemini(model: string, { thinkingBudget: budget, thinkingLevel: level }: JsonFields): readonly Fault[] {
  const isOlder = /gemini-(1|2\.0)/.test(model)
  const byBudget = /gemini-2\.5/.test(model)
  return [
    isGiven(budget) && isGiven(level) ? 'You can only set one of thinking budget and thinking level.' : undefined,
    isGiven(level) && (isOlder || byBudget) ? 'Thinking level is not supported for this model.' : undefined,
    isGiven(budget) && isOlder ? 'Thinking is not supported by this model.' : undefined,
    budget === 0 && /gemini-2\.5-pro/.test(model)
      ? 'Budget 0 is invalid. This model only works in thinking mode.'
      : undefined,
  ]
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}
