/**
 * Messages of the OpenAI Chat Completions API, as they are written. Messages that came from there also carry what
 * else they had: names, cache marks, fields of compatible servers.
 */
export type OpenAIMessage =
  | OpenAIInstructions<'system'>
  | OpenAIInstructions<'developer'>
  | OpenAIUserMessage
  | OpenAIAssistantMessage
  | OpenAIToolMessage

interface OpenAIInstructions<Role extends 'system' | 'developer'> {
  role: Role
  content: string | OpenAIText[]
}

interface OpenAIUserMessage {
  role: 'user'
  content: string | (OpenAIText | OpenAIFile)[]
}

export interface OpenAIAssistantMessage {
  role: 'assistant'
  content: string | OpenAIText[] | null
  refusal?: string | null
  tool_calls?: OpenAICall[]
}

export interface OpenAIToolMessage {
  role: 'tool'
  tool_call_id: string
  content: string
}

export interface OpenAIText {
  type: 'text'
  text: string
}

export type OpenAIFile =
  | { type: 'image_url'; image_url: { url: string } }
  | { type: 'input_audio'; input_audio: { data: string; format: 'wav' | 'mp3' } }
  | { type: 'file'; file: { file_data?: string; file_id?: string; filename?: string } }

export type OpenAICall =
  | { id: string; type: 'function'; function: { name: string; arguments: string } }
  | { id: string; type: 'custom'; custom: { name: string; input: string } }
