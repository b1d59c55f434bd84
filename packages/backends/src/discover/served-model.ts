import * as z from 'zod/mini'
import { maybe } from '../platform/maybe.ts'
import { lazy } from '../platform/lazy.ts'
import type { Ask } from '../http/ask.ts'

/** A number of tokens; any other value counts as absent. */
export const tokens = lazy(() => maybe(z.int().check(z.gte(1))))

/** A model as its server reports it. Fields that the server does not report are absent. */
export interface ServedModel {
  readonly id: string
  /** The current window of requests, in tokens. */
  readonly contextWindow?: number
  /** The largest window of the model. */
  readonly largestWindow?: number
  readonly nativeTools?: boolean
  /** Whether it sees images. */
  readonly images?: boolean
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
