import { llamaCppServer } from './llama-cpp.ts'
import { lmStudioServer } from './lm-studio.ts'
import { ollamaServer } from './ollama.ts'
import type { ServerKind } from './served-model.ts'
import { vllmServer } from './vllm.ts'

export const serverKinds: readonly ServerKind[] = [ollamaServer, llamaCppServer, lmStudioServer, vllmServer]
