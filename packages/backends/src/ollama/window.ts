import { cautiousWindow, comfortableWindow, smallestAgentWindow } from '../model/capabilities.ts'
import type { OllamaFacts } from './facts.ts'

/**
 * The window to request. By default Ollama cuts prompts to the window it was started with, mostly 4096 tokens, so every
 * request sets one; always the same, because another window means loading the model again.
 */
export function windowFor(
  wanted: number | undefined,
  { largestWindow, remote, loaded }: Pick<OllamaFacts, 'largestWindow' | 'remote' | 'loaded'>,
): number {
  const largest = largestWindow ?? (wanted === undefined ? cautiousWindow : Number.POSITIVE_INFINITY)
  if (wanted !== undefined) return Math.min(wanted, largest)
  if (remote) return largest
  if (typeof loaded === 'number' && loaded >= smallestAgentWindow) return Math.min(loaded, largest)
  return Math.min(comfortableWindow, largest)
}
