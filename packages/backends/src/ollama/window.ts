import type { OllamaModel } from '../discover/ollama.ts'
import { cautiousWindow, comfortableWindow, smallestAgentWindow } from '../model/capabilities.ts'

export interface WindowFacts {
  /** What the caller wants. */
  readonly wanted: number | undefined
  /** What the model was made for. */
  readonly model: OllamaModel
  /** What it is loaded with. */
  readonly loaded: number | undefined
}

/**
 * The window to ask for. Ollama cuts a prompt to the window that it was started with, 4096 tokens on most machines, so
 * every request says which one it wants; and always the same, because another one means loading the model again.
 */
export function windowFor({ wanted, model, loaded }: WindowFacts): number {
  const largest = model.largestWindow ?? (wanted === undefined ? cautiousWindow : Number.POSITIVE_INFINITY)
  if (wanted !== undefined) return Math.min(wanted, largest)
  if (model.remote) return largest
  if (loaded !== undefined && loaded >= smallestAgentWindow) return Math.min(loaded, largest)
  return Math.min(comfortableWindow, largest)
}
