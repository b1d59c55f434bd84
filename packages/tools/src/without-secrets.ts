import type { JsonValue } from '@loader/session-core'
import {
  type Examination,
  requireExamination,
  requireResult,
  requireTool,
  type Tool,
  type ToolContext,
  type ToolResult,
} from '@loader/session-core/coding'
import { SecretReplacer } from '@loader/workspace'
import { isList } from './calls/is-list.ts'

/**
 * Wraps a tool so that it shows no known secret, neither when examining nor in its results. All text of tools passes
 * here, so no secret reaches the recording or a model. Contents needed to undo a change are not altered.
 */
export function withoutSecrets(tool: Tool, secrets: () => readonly string[]): Tool {
  requireTool(tool)
  return {
    ...tool,
    async examine(input, context) {
      const replacer = new SecretReplacer(secrets())
      const examination: unknown = await shown(tool.examine(input, quiet(context, secrets)), replacer)
      requireExamination(tool, examination)
      return withoutIn(examination, replacer)
    },
    async run(examined, context) {
      const replacer = new SecretReplacer(secrets())
      const result: unknown = await shown(tool.run(examined, quiet(context, secrets)), replacer)
      requireResult(tool, result)
      return withoutInResult(result, replacer)
    },
    ...(tool.observe !== undefined && { observe: tool.observe.bind(tool) }),
  }
}

/** Replaces secrets in the output shown while it runs. */
function quiet(context: ToolContext, secrets: () => readonly string[]): ToolContext {
  if (context.onOutput === undefined) return context
  return { ...context, onOutput: (chunk) => context.onOutput?.(new SecretReplacer(secrets()).text(chunk)) }
}

/** Replaces secrets in errors too. */
async function shown<Value>(value: Promise<Value>, replacer: SecretReplacer): Promise<Value> {
  try {
    return await value
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const message = replacer.text(error.message)
    if (message !== error.message) error.message = message
    throw error
  }
}

function withoutIn(examination: Examination<unknown>, replacer: SecretReplacer): Examination<unknown> {
  if (!examination.valid) return { ...examination, message: replacer.text(examination.message) }
  const { preview } = examination
  if (preview === undefined) return examination
  const without =
    typeof preview === 'string' ? replacer.text(preview) : { ...preview, excerpt: replacer.text(preview.excerpt) }
  return { ...examination, preview: without }
}

function withoutInResult(result: ToolResult, replacer: SecretReplacer): ToolResult {
  const text = replacer.text(result.text)
  const metadata = result.metadata && withoutInFields(result.metadata, replacer)
  const secretsReplaced = (result.secretsReplaced ?? 0) + replacer.count
  return { ...result, text, ...(metadata && { metadata }), ...(secretsReplaced > 0 && { secretsReplaced }) }
}

type Fields = NonNullable<ToolResult['metadata']>

function withoutInFields(fields: Fields, replacer: SecretReplacer): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, withoutInValue(value, replacer)]))
}

function withoutInValue(value: JsonValue, replacer: SecretReplacer): JsonValue {
  if (typeof value === 'string') return replacer.text(value)
  if (typeof value !== 'object' || value === null) return value
  return isList(value) ? value.map((item) => withoutInValue(item, replacer)) : withoutInFields(value, replacer)
}
