/** Shorter values are placeholders for "no key", such as `ollama`. */
const shortestSecret = 8

const shapes: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, '$1 [secret]'],
  [/\b(sk|pk|rk|gsk|xai|hf|key)[-_][\w-]{16,}/g, '[secret]'],
  [/\bAIza[\w-]{30,}/g, '[secret]'],
  [/(:\/\/)[^\s/@]+@/g, '$1[secret]@'],
]

/** The text without the secrets that were used, and without texts that look like secrets. */
export function redacted(text: string, secrets: readonly string[]): string {
  const known = secrets.filter((secret) => secret.length >= shortestSecret).flatMap(secretSpellings)
  const without = known.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text)
  return shapes.reduce((rest, [shape, instead]) => rest.replace(shape, instead), without)
}

/** A secret as it is, and as it stands in an address, in JSON and in base64: for replacing it wherever it is repeated. */
export function secretSpellings(secret: string): readonly string[] {
  const bytes = Buffer.from(secret)
  const base64 = bytes.toString('base64').replace(/=+$/, '')
  const encoded = encodeURIComponent(bytes.toString())
  const lowerCase = encoded.replaceAll(/%../g, (code) => code.toLowerCase())
  return [...new Set([secret, encoded, lowerCase, JSON.stringify(secret).slice(1, -1), base64])]
}
