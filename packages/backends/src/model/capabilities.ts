import type { ModelCapabilities } from '@loader/session-core'

/** What is assumed of a window that nobody knows. */
export const cautiousWindow = 8192

/** Below this, instructions, tools and a file or two leave no room to work. */
export const smallestAgentWindow = 16_384

/** What an agent gets when it may choose. */
export const comfortableWindow = 32_768

export interface KnownModel {
  readonly id: string
  readonly nativeTools: boolean
  readonly contextWindow: number
  readonly notes: readonly string[]
}

/** The profile of a model: what the caller knows goes before what was found out. */
export function capabilitiesOf(
  { id, nativeTools, contextWindow, notes }: KnownModel,
  given: Partial<ModelCapabilities> = {},
): ModelCapabilities {
  const native = given.nativeTools ?? nativeTools
  return {
    model: id,
    streaming: true,
    contextWindow,
    callFormat: native ? 'native' : 'json_tag',
    notes: [...notes],
    ...given,
    nativeTools: native,
  }
}

/** A warning, when the window is too small for an agent. */
export function smallWindow(tokens: number | undefined, remedy: string): string | undefined {
  if (tokens === undefined || tokens >= smallestAgentWindow) return undefined
  return `a window of ${tokens} tokens is too small for an agent, which needs ${smallestAgentWindow} or more: ${remedy}`
}
