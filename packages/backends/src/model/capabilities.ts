import type { ModelCapabilities } from '@loader/session-core'

/** Assumed when the window is unknown. */
export const cautiousWindow = 8192

/** A smaller window leaves no room for work beside instructions, tools and a file or two. */
export const smallestAgentWindow = 16_384

/** The window for agents where it can be chosen. */
export const comfortableWindow = 32_768

export interface KnownModel {
  readonly id: string
  readonly nativeTools: boolean
  readonly contextWindow: number
  readonly notes: readonly string[]
  /** Absent: not known. */
  readonly images?: boolean | undefined
  readonly documents?: boolean | undefined
}

/** The capabilities of a model: those that the caller knows take precedence over detected ones. */
export function capabilitiesOf(
  { id, nativeTools, contextWindow, notes, images, documents }: KnownModel,
  given: Partial<ModelCapabilities> = {},
): ModelCapabilities {
  const native = given.nativeTools ?? nativeTools
  return {
    model: id,
    streaming: true,
    contextWindow,
    callFormat: native ? 'native' : 'json_tag',
    ...(images !== undefined && { images }),
    ...(documents !== undefined && { documents }),
    notes: [...notes],
    ...given,
    nativeTools: native,
  }
}

/** A warning if the window is too small for an agent. */
export function smallWindow(tokens: number | undefined, remedy: string): string | undefined {
  if (tokens === undefined || tokens >= smallestAgentWindow) return undefined
  return `a window of ${tokens} tokens is too small for an agent, which needs ${smallestAgentWindow} or more: ${remedy}`
}
