import { carriedSecrets } from './carried-secrets.ts'
import { withheldVariables } from './child-variables.ts'
import type { ProcessOptions } from './process-options.ts'
import { shortestSecret } from './secret-replacer.ts'

/** A shorter value, under a name that does not suggest a secret, is treated as an ordinary setting. */
const shortestNameless = 16
const secretName = /(key|token|secret|passw(or)?d|passphrase|credentials?|auth|pwd|pat|cookie|dsn)s?$/i
/** A value of letters and digits that is neither words, nor a path, nor an address. */
const randomText = /^(?=.*[a-z])(?=.*\d)[\w+=.~-]+(\/[\w+=.~-]+)*$/i

/**
 * The secrets among the variables that commands do not get, and the runtime's own credentials, in every form in which
 * programs print them.
 */
export function knownSecrets(options: ProcessOptions, credentials: readonly string[] = []): readonly string[] {
  const values = Object.entries(withheldVariables(options)).flatMap(([name, value]) => secretsIn(name, value))
  const all = [...credentials, ...values].filter((value) => value.trim().length >= shortestSecret)
  return [...new Set(all.flatMap(formsOf))].filter((form) => form.length >= shortestSecret)
}

/** Caches the secrets; they are computed again when a variable has changed. */
export function secretsOf(options: ProcessOptions, credentials?: readonly string[]): () => readonly string[] {
  let known: { readonly variables: string; readonly secrets: readonly string[] } | undefined
  return () => {
    const variables = JSON.stringify(options.variables ?? process.env)
    if (known?.variables !== variables) known = { variables, secrets: knownSecrets(options, credentials) }
    return known.secrets
  }
}

function secretsIn(name: string, value: string): readonly string[] {
  const carried = carriedSecrets(value)
  if (carried.length > 0) return [value, ...carried]
  if (/^[/~]|^(unix|https?):/i.test(value)) return []
  if (secretName.test(name)) return [value]
  return value.length >= shortestNameless && randomText.test(value) ? [value] : []
}

/** The secret whole, line by line, and as encoded by JSON, URLs and base64, also in the middle of encoded text. */
function formsOf(secret: string): readonly string[] {
  const lines = secret.includes('\n') ? secret.split('\n').filter((line) => line.length >= shortestNameless) : []
  return [secret, ...lines, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), ...inBase64(secret)]
}

/**
 * In base64 three bytes become four letters, so the encoding depends on the position; letters that include bits of
 * neighbouring bytes are left out.
 */
function inBase64(secret: string): readonly string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)])
    return bytes.toString('base64').slice(before === 0 ? 0 : before + 1, Math.floor((bytes.length * 4) / 3))
  })
}
