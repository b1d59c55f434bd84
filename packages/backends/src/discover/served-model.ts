import * as z from 'zod'
import { lazy } from '../platform/lazy.ts'
import type { Ask } from '../http/ask.ts'

/** A number of tokens; what is no such number was not told. */
export const tokens = lazy(() => z.int().min(1).optional().catch(undefined))

/** A model as its server tells of it. What the server does not tell is absent. */
export interface ServedModel {
  readonly id: string
  /** The window that requests get now, in tokens. */
  readonly contextWindow?: number
  /** The largest window that the model was made for. */
  readonly largestWindow?: number
  readonly nativeTools?: boolean
  readonly loaded?: boolean
}

/** A kind of server that runs on people's own machines. */
export interface ServerKind {
  /** Also the first part of the names of its models. */
  readonly name: 'ollama' | 'llamacpp' | 'lmstudio' | 'vllm'
  readonly title: string
  readonly port: number
  /** Where its OpenAI-compatible interface is. */
  readonly path: string
  /** The models of the server at this origin; undefined when it is another kind of server, or none. */
  list(origin: string, ask: Ask, only?: string): Promise<readonly ServedModel[] | undefined>
  /** How it gets a larger window, in words. */
  readonly remedy: string
  /** The window that a model gets which is not loaded yet, unless somebody has set another. */
  readonly unloadedWindow?: number
}
