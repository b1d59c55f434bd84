import * as z from 'zod'
import { lazy } from '../platform/lazy.ts'
import type { Ask } from '../http/ask.ts'

/** A number of tokens; any other value counts as absent. */
export const tokens = lazy(() => z.int().min(1).optional().catch(undefined))

/** A model as its server reports it. Fields that the server does not report are absent. */
export interface ServedModel {
  readonly id: string
  /** The current window of requests, in tokens. */
  readonly contextWindow?: number
  /** The largest window of the model. */
  readonly largestWindow?: number
  readonly nativeTools?: boolean
  readonly loaded?: boolean
}

/** A kind of model server for local use. */
export interface ServerKind {
  /** Also the first part of its model names. */
  readonly name: 'ollama' | 'llamacpp' | 'lmstudio' | 'vllm'
  readonly title: string
  readonly port: number
  /** The path of its OpenAI-compatible interface. */
  readonly path: string
  /** The models of the server at this origin; undefined if it is another kind of server, or does not answer. */
  list(origin: string, ask: Ask, only?: string): Promise<readonly ServedModel[] | undefined>
  /** How to give it a larger window, in words. */
  readonly remedy: string
  /** The default window of a model that is not loaded yet. */
  readonly unloadedWindow?: number
}
