import type { SharedV3Warning, SharedV4Warning } from '@ai-sdk/provider'

/** Describes an option that a provider ignored or changed. */
export function warningInWords(warning: SharedV3Warning | SharedV4Warning): string {
  if ('feature' in warning && warning.feature === 'reasoning') return thinkingInWords(warning.details)
  switch (warning.type) {
    case 'unsupported':
      return withDetails(`The model does not support ${warning.feature}`, warning.details)
    case 'compatibility':
      return withDetails(`The model supports ${warning.feature} only in part`, warning.details)
    case 'deprecated':
      return `${warning.setting} is deprecated: ${warning.message}`
    case 'other':
      return warning.message
    default:
      return warning satisfies never
  }
}

/** The AI SDK calls it reasoning, and `off` none. */
function thinkingInWords(details = 'it has other levels'): string {
  return `The model cannot think as asked: ${details.replace(/\breasoning (["'])none\1/, 'thinking off').replace(/^reasoning /, 'thinking ')}`
}

function withDetails(what: string, details: string | undefined): string {
  return details === undefined || details === '' ? `${what}.` : `${what}: ${details}`
}
