import type { Dialect } from '../history-faults/rules.ts'
import { anthropic } from './anthropic.ts'
import { gemini } from './gemini.ts'
import { ollama } from './ollama.ts'
import { openai } from './openai.ts'
import type { Protocol } from './protocol.ts'
import { responses } from './responses.ts'

export const protocols: Readonly<Record<Dialect, Protocol>> = { openai, responses, anthropic, gemini, ollama }
