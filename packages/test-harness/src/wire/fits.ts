import { lastResults, lastUserText, type WireRequest } from './wire-request.ts'
import type { WireMatch, When } from './wire-script.ts'

/** Whether a line with this condition answers the request. */
export function fits(when: When | undefined, request: WireRequest): boolean {
  if (when === undefined) return true
  const { lastResult, lastUser, system, model } = when
  return (
    isMatch(
      lastResult,
      lastResults(request).map(({ text }) => text),
    ) &&
    isMatch(lastUser, present(lastUserText(request))) &&
    isMatch(system, present(request.system || undefined)) &&
    isMatch(model, [request.model])
  )
}

/** One of the texts must match; for null there must be none. */
function isMatch(match: WireMatch | undefined, texts: readonly string[]): boolean {
  if (match === undefined) return true
  if (match === null) return texts.length === 0
  if (typeof match === 'string') return texts.some((text) => text.includes(match))
  const pattern = new RegExp(match.matches)
  return texts.some((text) => pattern.test(text))
}

function present(text: string | undefined): readonly string[] {
  return text === undefined ? [] : [text]
}
