import type { JsonValue } from '@loader/session-core'
import {
  type Examination,
  requireExamination,
  requireResult,
  requireTool,
  type Tool,
  type ToolContext,
  type ToolResult,
  type ToolSource,
} from '@loader/session-core/coding'
import { SecretReplacer } from '@loader/workspace'
import { isList } from './calls/is-list.ts'

/**
 * Wraps a tool so that it shows no known secret, neither when examining nor in its results. All text of tools passes
 * here, so no secret reaches the history or a model. Contents needed to undo a change are not altered.
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
    ...(tool.takeUp !== undefined && {
      async takeUp(callId, context) {
        const replacer = new SecretReplacer(secrets())
        const settled = await shown(tool.takeUp?.(callId, quiet(context, secrets)) ?? nothing, replacer)
        return settled && { ...withoutInResult({ ...settled, outcome: 'ok' }, replacer), outcome: settled.outcome }
      },
    }),
    ...(tool.observe !== undefined && { observe: tool.observe.bind(tool) }),
  }
}

const nothing = Promise.resolve(undefined)

/** The same for tools that others provide. */
export function sourceWithoutSecrets(source: ToolSource, secrets: () => readonly string[]): ToolSource {
  const wrapped = new WeakMap<Tool, Tool>()
  const all = () => [...secrets(), ...(source.secrets?.() ?? [])]
  let last: { readonly tools: readonly Tool[]; readonly quiet: readonly Tool[] } | undefined
  const quietOf = (tool: Tool): Tool => {
    const known = wrapped.get(tool) ?? withoutSecrets(tool, all)
    wrapped.set(tool, known)
    return known
  }
  return {
    get tools() {
      const { tools } = source
      if (last?.tools !== tools) last = { tools, quiet: tools.map(quietOf) }
      return last.quiet
    },
    get servers() {
      return source.servers
    },
    refresh: (options) => source.refresh(options),
    close: async () => source.close?.(),
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
