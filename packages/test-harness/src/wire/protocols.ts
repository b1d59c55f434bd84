import type { Dialect } from '../history-faults/rules.ts'
import { anthropic } from './anthropic.ts'
import { ollama } from './ollama.ts'
import { openai } from './openai.ts'
import type { Protocol } from './protocol.ts'

export const protocols: Readonly<Record<Dialect, Protocol>> = { openai, anthropic, ollama }
