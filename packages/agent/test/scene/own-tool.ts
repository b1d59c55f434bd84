import type { Effect, Tool, ToolContext, ToolResult } from '@loader/session-core/coding'
import * as z from 'zod'

const Input = z.object({ note: z.string().default('') })
type Input = z.infer<typeof Input>

export interface OwnTool {
  readonly effect?: Effect
  readonly intent?: { readonly path: string; readonly before: string | null; readonly after: string | null }
  readonly observe?: Tool['observe']
  readonly run: (input: Input, context: ToolContext) => Promise<ToolResult> | ToolResult
}

/** A tool of the test, for what no tool of ours would do. */
export function ownTool(name: string, { effect = 'probe', intent, observe, run }: OwnTool): Tool {
  const tool: Tool<Input> = {
    name,
    description: `Does what the test wants ${name} to do.`,
    input: Input,
    examine: async (input) => ({ valid: true, input, effect, paths: [], intent: intent === undefined ? [] : [intent] }),
    run: async ({ input }, context) => run(input, context),
    ...(observe && { observe }),
  }
  return tool as Tool
}

/** Something that a test waits for. */
export function signalled(): { readonly reached: Promise<void>; readonly reach: () => void } {
  let reach = () => {}
  const reached = new Promise<void>((resolve) => {
    reach = () => resolve()
  })
  return { reached, reach }
}
