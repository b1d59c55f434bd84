/** The pattern of a kind of secret. The whole match is replaced; context belongs into look-arounds. */
export interface SecretRule {
  readonly kind: string
  readonly pattern: RegExp
}

const value = String.raw`[^\s"'\`,;<>$(){}[\]\\]`

/**
 * In order: exact rules come first. Every look-behind must be bounded, or long runs of white space would take for ever.
 */
export const secretRules: readonly SecretRule[] = [
  {
    kind: 'private-key',
    pattern:
      /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----(?:(?!-----BEGIN )[\s\S])*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  },
  { kind: 'jwt', pattern: /\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/g },
  { kind: 'github', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_\w{22,255})\b/g },
  { kind: 'gitlab', pattern: /\bgl(?:pat|dt|rt|ptt|soat)-[\w-]{20,}/g },
  { kind: 'anthropic', pattern: /\bsk-ant-[\w-]{20,}/g },
  { kind: 'openrouter', pattern: /\bsk-or-[\w-]{20,}/g },
  { kind: 'openai', pattern: /\bsk-[\w-]{20,}/g },
  { kind: 'stripe', pattern: /\b(?:[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,})/g },
  { kind: 'aws', pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g },
  { kind: 'aws', pattern: /(?<=aws.{0,20}secret.{0,24}?[=:]\s{0,4}["']?)[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/gi },
  { kind: 'slack', pattern: /\bxox[abeprs]-[\w-]{10,}|(?<=hooks\.slack\.com\/services\/)[\w/]{20,}/g },
  { kind: 'npm', pattern: /\bnpm_[A-Za-z0-9]{36}\b|(?<=:_(?:authToken|auth|password)\s?=\s?)[^\s"']{8,}/g },
  { kind: 'pypi', pattern: /\bpypi-[\w-]{50,}/g },
  { kind: 'huggingface', pattern: /\bhf_[A-Za-z0-9]{30,}\b/g },
  { kind: 'google', pattern: /\bAIza[\w-]{35}|\bya29\.[\w-]{20,}|\bGOCSPX-[\w-]{20,}/g },
  { kind: 'groq', pattern: /\bgsk_[A-Za-z0-9]{40,}\b/g },
  { kind: 'xai', pattern: /\bxai-[A-Za-z0-9]{40,}\b/g },
  { kind: 'replicate', pattern: /\br8_[A-Za-z0-9]{30,}\b/g },
  { kind: 'perplexity', pattern: /\bpplx-[A-Za-z0-9]{32,}\b/g },
  { kind: 'sendgrid', pattern: /\bSG\.[\w-]{16,}\.[\w-]{16,}/g },
  { kind: 'digitalocean', pattern: /\bdo[opr]_v1_[a-f0-9]{64}\b/g },
  { kind: 'databricks', pattern: /\bdapi[a-f0-9]{32}\b/g },
  { kind: 'linear', pattern: /\blin_api_[A-Za-z0-9]{32,}\b/g },
  { kind: 'telegram', pattern: /\b\d{8,10}:AA[\w-]{33}\b/g },
  { kind: 'twilio', pattern: /\bSK[a-f0-9]{32}\b/g },
  { kind: 'azure', pattern: /(?<=AccountKey=)[A-Za-z0-9+/=]{40,}/g },
  { kind: 'age', pattern: /\bAGE-SECRET-KEY-1[A-Z0-9]{50,}\b/g },
  {
    kind: 'database',
    pattern:
      /(?<=\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|redis|rediss|amqps?|mssql):\/\/)[^\s/@:'"]*:[^\s/'"]+(?=@)/gi,
  },
  { kind: 'url', pattern: /(?<=\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@:'"<>]*:[^\s/@'"<>]+(?=@)/gi },
  { kind: 'header', pattern: /(?<=\b(?:Bearer|Basic)\s{1,4})[\w.~+/=-]{16,}/g },
  { kind: 'header', pattern: /(?<=\b(?:x-api-key|api-key|x-auth-token)["']?\s{0,4}[:=]\s{0,4}["']?)[\w.~+/=-]{12,}/gi },
  {
    kind: 'variable',
    pattern: new RegExp(
      String.raw`(?<=\b[A-Z0-9_]*(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY)[A-Z0-9_]*\s?[=:]\s?["']?)${value}{8,}`,
      'g',
    ),
  },
]
