import { fieldsOf, listOf } from '../history-faults/check.ts'
import type { Headers, Refusal, Said } from './protocol.ts'

/** The fields of a body for chat completions. Source: `ChatCompletionCreateParams` of openai 7.55. */
const openaiFields: readonly string[] =
  `messages model audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens
  metadata modalities moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_options
  prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier stop store stream
  stream_options temperature tool_choice tools top_logprobs top_p user verbosity web_search_options`.split(/\s+/)

/** The fields of a body for messages. Source: `MessageCreateParams` of @anthropic-ai/sdk 1.10. */
const anthropicFields: readonly string[] =
  `max_tokens messages model cache_control container diagnostics inference_geo metadata output_config service_tier speed
  stop_sequences stream system temperature thinking tool_choice tools top_k top_p user_profile_id workspace_id`.split(
    /\s+/,
  )

/** Fields of beta versions. Source: `beta.messages` of @anthropic-ai/sdk 1.10. */
const betaFields: readonly string[] =
  `billing_policy compaction context_management fallback_credit_token fallbacks mcp_servers output_format`.split(/\s+/)

export function openaiUnknownFields(body: unknown): readonly Refusal[] {
  return unknownIn(body, openaiFields).map((name) =>
    refusalOf({ status: 400, message: `Unrecognized request argument supplied: ${name}` }),
  )
}

export function anthropicUnknownFields(body: unknown, headers: Headers): readonly Refusal[] {
  const { 'anthropic-beta': betas } = headers
  if (betas?.includes('message-threads') && fieldsOf(body)['thread']) return [{ said: noThreads }]
  const known = betas === undefined ? anthropicFields : [...anthropicFields, ...betaFields]
  const inMessages = listOf(fieldsOf(body)['messages']).flatMap((message, at) =>
    unknownIn(message, ['role', 'content']).map((name) => `messages.${at}.${name}`),
  )
  return [...unknownIn(body, known), ...inMessages].map((path) =>
    refusalOf({ status: 400, message: `${path}: Extra inputs are not permitted` }),
  )
}

/**
 * This server stores no threads. Clients that ask for one, such as Anthropic's tool runner, handle this error and send
 * the whole conversation instead.
 */
const noThreads: Said = {
  status: 400,
  message: 'This request cannot be threaded. Send the full conversation without `thread`.',
  details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] },
}

function unknownIn(value: unknown, known: readonly string[]): string[] {
  return Object.keys(fieldsOf(value)).filter((key) => !known.includes(key))
}

function refusalOf(said: Said): Refusal {
  return { violation: { rule: 'unknownFields', message: said.message }, said }
}
