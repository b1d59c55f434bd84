import { publishedKind } from './published-codes.ts'

/** The kinds of `model.failed` that are distinguished here. */
export type FailureKind =
  | 'rate_limited'
  | 'overloaded'
  | 'context_too_long'
  | 'auth'
  | 'no_credit'
  | 'unknown_model'
  | 'bad_request'
  | 'connection'
  | 'interrupted'
  | 'other'

/** Error texts for a request that does not fit into the window. Anthropic and Google have no code for it. */
const tooLong = new RegExp(
  [
    'context[_ ]?(length|window|size)[_ ]?(is )?(has been )?exceeded', // OpenAI, LM Studio, z.ai
    'exceed_context_size', // llama.cpp
    'exceeds? (the |model )?(available |maximum |max )?(context|input context)', // OpenAI, llama.cpp, Ollama
    'exceeded (max|maximum) context', // Ollama
    '(input|prompt|request|messages?)( length)? (is |was )?too (long|large)', // Anthropic, Bedrock
    'prompt too long',
    'request_too_large', // Anthropic
    '(input )?length and `?max_tokens`? exceed', // Anthropic
    '(maximum|max) (context|prompt|model) length', // OpenAI, vLLM, OpenRouter, xAI
    "longer than the model'?s (context|maximum)", // Together
    'input token count.{0,40}exceeds', // Google
    'reduce the length of', // Groq
    '(greater|larger|more) than the context (length|window|size)', // LM Studio
    'overflows.{0,80}context length', // LM Studio
    'context window exceeds', // MiniMax
    'exceeded model token limit', // Kimi
    'configured context (size|length|window)',
    'range of input length', // DashScope
    'too many (input )?tokens',
  ].join('|'),
  'i',
)

const limited = /rate.?limit|too many requests|tokens per (min|day)|throttl|\bquota\b/i
const unpaid = /insufficient_quota|billing|credit balance|payment.required|exceeded your current quota/i
const unauthorised = /authentication|unauthori[sz]ed|permission_(error|denied)|(invalid|incorrect).{0,12}api.?key/i
/** Google reports a wrong key with status 400, and some gateways leave out its code. */
const wrongKey = /api key not valid/i
/** OpenRouter, DeepSeek and xAI report an unknown model with status 400, and Ollama without a code. */
const noModel =
  /model.{0,80}(not found|does ?n.t exist|does not exist|not exist|not a valid model)|not a valid model|unknown model|no such model/i
const overloaded = /overloaded|server (is )?busy|maximum pending requests/i
const invalid = /invalid_request|not_found|bad_request|invalid_argument/i

/**
 * The kind of failure that a server reports: from the codes that its provider publishes, then from the status. Only
 * where both leave it open (400, 422, 500, none) does the text of the error decide.
 */
export function failureKind(
  status: number | undefined,
  { codes, words }: { readonly codes: readonly string[]; readonly words: string },
): FailureKind {
  const published = publishedKind(codes)
  if (published !== undefined) return published
  if (status === 401 || status === 403) return 'auth'
  if (status === 402) return 'no_credit'
  if (status === 429) return 'rate_limited'
  if (status === 529 || status === 503) return 'overloaded'
  // Only the model can be missing at the address of a model, unless that address is a wrong one: then there is a page.
  if (status === 404) return codes.length > 0 || noModel.test(words) ? 'unknown_model' : 'bad_request'
  if (wrongKey.test(words)) return 'auth'
  if (unpaid.test(words)) return 'no_credit'
  if (tooLong.test(words) && !limited.test(words)) return 'context_too_long'
  if (status === 413) return limited.test(words) ? 'rate_limited' : 'context_too_long'
  if (status === undefined || status >= 500) return kindInWords(words)
  if (status < 400) return 'other'
  return noModel.test(words) ? 'unknown_model' : 'bad_request'
}

/** Decides by text alone: errors in the middle of a stream have no status, and some gateways use one status for all. */
function kindInWords(words: string): FailureKind {
  if (overloaded.test(words)) return 'overloaded'
  if (limited.test(words)) return 'rate_limited'
  if (unauthorised.test(words)) return 'auth'
  return invalid.test(words) ? 'bad_request' : 'other'
}
