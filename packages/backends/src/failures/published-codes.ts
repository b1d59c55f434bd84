import type { FailureKind } from './failure-kind.ts'

/**
 * The error codes that providers publish, in the fields `type`, `code`, `status` and `reason` of their errors. A code
 * that can mean several things is not here: `invalid_request_error`, say.
 *
 * OpenAI: platform.openai.com/docs/guides/error-codes. Anthropic: docs.anthropic.com/en/api/errors. Google:
 * cloud.google.com/apis/design/errors and its ErrorInfo reasons. Groq, Cerebras and Together use those of OpenAI.
 */
const kinds: Readonly<Record<FailureKind, string>> = {
  context_too_long:
    'context_length_exceeded exceed_context_size_error request_too_large model_max_prompt_tokens_exceeded',
  no_credit: 'insufficient_quota billing_error billing_hard_limit_reached billing_not_active BILLING_DISABLED',
  auth:
    'invalid_api_key authentication_error permission_error invalid_authentication account_deactivated UNAUTHENTICATED ' +
    'PERMISSION_DENIED API_KEY_INVALID API_KEY_SERVICE_BLOCKED ACCESS_TOKEN_EXPIRED AccessDeniedException ' +
    'UnrecognizedClientException ExpiredTokenException',
  unknown_model: 'model_not_found invalid_model model_not_available DeploymentNotFound',
  rate_limited: 'rate_limit_exceeded rate_limit_error RESOURCE_EXHAUSTED too_many_requests ThrottlingException',
  overloaded: 'overloaded_error UNAVAILABLE server_is_overloaded unavailable_error ServiceUnavailableException',
  bad_request: '',
  connection: '',
  interrupted: '',
  other: '',
}

const published: ReadonlyMap<string, FailureKind> = /* @__PURE__ */ new Map(
  (Object.entries(kinds) as [FailureKind, string][]).flatMap(([kind, codes]) =>
    codes.split(' ').map((code) => [code, kind] as const),
  ),
)

/** What the first published code means. */
export function publishedKind(codes: readonly string[]): FailureKind | undefined {
  return codes.map((code) => published.get(code)).find((kind) => kind !== undefined)
}
