/** What the page may do, whatever a session contains. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'img-src data: blob:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  ...trustedTypes(),
].join('; ')

/** No text becomes markup anywhere in the page: it needs no policy for that, and can make none. */
function trustedTypes(): readonly string[] {
  return ["require-trusted-types-for 'script'", "trusted-types 'none'"]
}

/** On every answer, errors included. */
export const safeHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': contentPolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'cache-control': 'no-store, no-transform',
}

/** The same for a page that is one file: it may run its own script and style, named by their hashes, and connect to nothing. */
export function policyOfFile(scriptHash: string, styleHash: string): string {
  return [
    "default-src 'none'",
    `script-src '${scriptHash}'`,
    `style-src '${styleHash}'`,
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
    ...trustedTypes(),
  ].join('; ')
}
