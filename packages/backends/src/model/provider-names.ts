/**
 * The names of `knownProviders`, in their order, for programs that need nothing else of that table: a completion of
 * command lines, say. A test holds the two together.
 */
export const providerNames = [
  'anthropic',
  'openai',
  'google',
  'openrouter',
  'groq',
  'mistral',
  'deepseek',
  'xai',
  'together',
  'fireworks',
  'cerebras',
  'ollama',
  'lmstudio',
  'llamacpp',
  'vllm',
  'azure',
  'bedrock',
  'vertex',
] as const
