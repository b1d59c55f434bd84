import { type JsonFields, fieldsOf } from '../history-faults/check.ts'
import { historyFaults } from '../history-faults/history-faults.ts'
import type { HistoryRule } from '../history-faults/rules.ts'
import { sayThinkingChanged, sayThinkingUnbound } from './anthropic-words.ts'
import { saySignatureForeign } from './gemini-words.ts'
import type { PreparedScript } from './prepared-script.ts'
import { cacheMarkFaults } from './prompt-cache/marks.ts'
import type { Headers, Protocol, Refusal } from './protocol.ts'
import { saySealForeign } from './responses-words.ts'
import { foreignSeal } from './sealed.ts'
import { changedThinking, unboundThinking } from './signature.ts'
import { thinkingFaults } from './thinking-settings.ts'
import { toolFaults } from './tool-faults.ts'
import type { WireRequest } from './wire-request.ts'
import type { RequestRule, WireModel } from './wire-script.ts'

/** A valid request, and its messages as received. */
export interface Asked {
  readonly request: WireRequest
  readonly messages: readonly JsonFields[]
  readonly body: unknown
  readonly headers: Headers
}

/** All reasons for which a provider would refuse the request, the one it would report first. */
export function refusalsOf(asked: Asked, script: PreparedScript, protocol: Protocol): readonly Refusal[] {
  const model = modelOf(asked.request, script)
  if (model === undefined) return [refusal('model', protocol.sayNoModel(asked.request.model))]
  return [
    ...ofFields(asked, script, protocol),
    ...ofCapabilities(asked.request, script, model, protocol),
    ...ofSettings(asked, script),
    ...ofTools(asked.request, script, protocol),
    ...ofHistory(asked, script, protocol),
    ...ofThinking(asked, script),
    ...ofBinding(asked, script),
    ...ofSeals(asked, script),
    ...ofMarks(asked, script),
    ...ofSize(asked, model, protocol),
  ]
}

function modelOf({ model }: WireRequest, { models }: PreparedScript): WireModel | undefined {
  // Names of local models may end in `:latest`, which changes nothing.
  const bare = model.replace(/:latest$/, '')
  return models === undefined ? { id: model } : models.find(({ id }) => id === model || id === bare)
}

/** Off by default for OpenAI's chat completions, because compatible servers accept fields of their own. */
function ofFields({ body, headers }: Asked, { rules }: PreparedScript, protocol: Protocol): readonly Refusal[] {
  const usual = protocol.dialect === 'openai' ? 'off' : 'on'
  return (rules['unknownFields'] ?? usual) === 'on' ? protocol.unknownFields(body, headers) : []
}

function ofCapabilities(
  { model, tools, thinking }: WireRequest,
  script: PreparedScript,
  { capabilities }: WireModel,
  protocol: Protocol,
): readonly Refusal[] {
  if (capabilities === undefined || script.rules['capability'] === 'off') return []
  const thinks = thinking === 'on' || thinking === 'adaptive'
  const wanted = [...(tools.length > 0 ? ['tools' as const] : []), ...(thinks ? ['thinking' as const] : [])]
  return wanted
    .filter((capability) => !capabilities.includes(capability))
    .map((capability) => refusal('capability', protocol.sayCannot(model, capability)))
}

function ofSettings({ request, body }: Asked, { rules }: PreparedScript): readonly Refusal[] {
  return rules['thinkingSettings'] === 'off' ? [] : thinkingFaults(request, body)
}

function ofTools({ tools }: WireRequest, { rules }: PreparedScript, protocol: Protocol): readonly Refusal[] {
  if (rules['tools'] === 'off') return []
  return toolFaults(tools, protocol.toolName).map((fault) => ({
    violation: { rule: 'tools', message: `tool ${fault.name}: ${fault.message}` },
    said: protocol.sayTool(fault),
  }))
}

function ofHistory({ request, messages }: Asked, { rules }: PreparedScript, protocol: Protocol): readonly Refusal[] {
  const byRequest: Partial<Record<HistoryRule, 'on' | 'off'>> = {
    thinkingFirst: request.protocol === 'anthropic' && request.thinking === 'on' ? 'on' : 'off',
    reasoningSealed: request.keeps === 'nothing' ? 'on' : 'off',
  }
  return historyFaults(messages, protocol.dialect, { rules: { ...byRequest, ...rules } }).map((fault) => ({
    violation: { rule: fault.rule, index: fault.index, message: fault.message },
    said: protocol.sayHistory(fault, messages),
  }))
}

function ofThinking({ request, messages }: Asked, { rules, lines }: PreparedScript): readonly Refusal[] {
  if (request.protocol !== 'anthropic' || rules['thinkingUnchanged'] === 'off') return []
  const changed = changedThinking(messages, lines)
  if (changed === undefined) return []
  const violation = {
    rule: 'thinkingUnchanged',
    index: changed.index,
    message: 'a thinking block has another text than the one that was signed',
  } as const
  return [{ violation, said: sayThinkingChanged(changed) }]
}

function ofBinding({ request, body }: Asked, { rules }: PreparedScript): readonly Refusal[] {
  if (request.protocol !== 'anthropic' || rules['thinkingBound'] === 'off') return []
  const unbound = unboundThinking(fieldsOf(body))
  if (unbound === undefined) return []
  const message = 'a thinking block comes back behind other instructions, tools or messages than it was thought behind'
  const violation = { rule: 'thinkingBound', index: unbound.index, message } as const
  return [{ violation, said: sayThinkingUnbound(unbound) }]
}

function ofSeals({ request, messages }: Asked, { rules, lines }: PreparedScript): readonly Refusal[] {
  const { protocol } = request
  if (rules['thinkingSealed'] === 'off' || (protocol !== 'responses' && protocol !== 'gemini')) return []
  const foreign = foreignSeal(protocol, messages, lines)
  if (foreign === undefined) return []
  const { index, at, seal } = foreign
  const message = 'thinking is sealed by another account, or only a part of it came back'
  const said = protocol === 'responses' ? saySealForeign(seal) : saySignatureForeign(index, at, seal)
  return [{ violation: { rule: 'thinkingSealed', index, message }, said }]
}

function ofMarks({ request, body }: Asked, { rules }: PreparedScript): readonly Refusal[] {
  if (request.protocol !== 'anthropic' || rules['cacheMarks'] === 'off') return []
  return cacheMarkFaults(body).map((message) => refusal('cacheMarks', { status: 400, message }))
}

function ofSize({ request }: Asked, { contextWindow }: WireModel, protocol: Protocol): readonly Refusal[] {
  if (contextWindow === undefined) return []
  const window = Math.min(contextWindow, request.window ?? contextWindow)
  // Other providers shorten the answer to the remaining window.
  const maxOutputTokens = protocol.dialect === 'anthropic' ? request.maxOutputTokens : undefined
  if (request.tokens + (maxOutputTokens ?? 0) <= window) return []
  return [refusal('window', protocol.sayTooLong({ tokens: request.tokens, window, maxOutputTokens }))]
}

function refusal(rule: RequestRule, said: Refusal['said']): Refusal {
  return { violation: { rule, message: said.message }, said }
}
