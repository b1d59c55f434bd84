import type { PlainJson, PlainJsonObject } from './plain-json.ts'

/**
 * Messages of the AI SDK (`ModelMessage`), as they are written. Version 6 and 7 take all of them; version 5 does but for
 * a result with files, and a denied call that came from a later version. Parts that only some versions know, such as
 * approvals, go back as they came, without a name here.
 */
export type AiSdkMessage = AiSdkSystemMessage | AiSdkUserMessage | AiSdkAssistantMessage | AiSdkToolMessage

export interface AiSdkOptions {
  providerOptions?: Record<string, PlainJsonObject>
}

interface AiSdkSystemMessage extends AiSdkOptions {
  role: 'system'
  content: string
}

export interface AiSdkUserMessage extends AiSdkOptions {
  role: 'user'
  content: string | (AiSdkText | AiSdkImage | AiSdkFile)[]
}

export interface AiSdkAssistantMessage extends AiSdkOptions {
  role: 'assistant'
  content: string | (AiSdkText | AiSdkReasoning | AiSdkFile | AiSdkToolCall)[]
}

export interface AiSdkToolMessage extends AiSdkOptions {
  role: 'tool'
  content: AiSdkToolResult[]
}

export interface AiSdkText extends AiSdkOptions {
  type: 'text'
  text: string
}

interface AiSdkReasoning extends AiSdkOptions {
  type: 'reasoning'
  text: string
}

export interface AiSdkImage extends AiSdkOptions {
  type: 'image'
  /** A URL, or the bytes in base64. */
  image: string
  mediaType?: string
}

export interface AiSdkFile extends AiSdkOptions {
  type: 'file'
  /** A URL, or the bytes in base64. */
  data: string
  mediaType: string
  filename?: string
}

export interface AiSdkToolCall extends AiSdkOptions {
  type: 'tool-call'
  toolCallId: string
  toolName: string
  input: PlainJson
}

export interface AiSdkToolResult extends AiSdkOptions {
  type: 'tool-result'
  toolCallId: string
  toolName: string
  output: AiSdkOutput
}

export type AiSdkOutput = AiSdkOptions &
  (
    | { type: 'text' | 'error-text'; value: string }
    | { type: 'json' | 'error-json'; value: PlainJson }
    | { type: 'execution-denied'; reason?: string }
    | { type: 'content'; value: AiSdkOutputItem[] }
  )

export type AiSdkOutputItem = AiSdkOptions &
  (
    | { type: 'text'; text: string }
    | { type: 'image-data'; data: string; mediaType: string }
    | { type: 'image-url'; url: string }
    | { type: 'file-data'; data: string; mediaType: string; filename?: string }
    | { type: 'file-url'; url: string; mediaType: string }
  )
