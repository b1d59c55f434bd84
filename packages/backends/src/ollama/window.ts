import { cautiousWindow, comfortableWindow, smallestAgentWindow } from '../model/capabilities.ts'
import type { OllamaFacts } from './facts.ts'

/**
 * The window to ask for. Ollama cuts a prompt to the window that it was started with, 4096 tokens on most machines, so
 * every request says which one it wants; and always the same, because another one means loading the model again.
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
