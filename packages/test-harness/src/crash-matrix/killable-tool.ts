import type { Tool } from '@loader/session-core/coding'
import type { CrashPorts } from './ports.ts'

/** The same tool, with a boundary on both sides of its effect. */
export function killableTool<Input>(tool: Tool<Input>, ports: Pick<CrashPorts<unknown>, 'effect'>): Tool<Input> {
  return {
    name: tool.name,
    description: tool.description,
    input: tool.input,
    examine: (input, context) => tool.examine(input, context),
    run: (examined, context) => ports.effect(tool.name, () => tool.run(examined, context)),
    ...(tool.observe && { observe: (intent) => (tool.observe as NonNullable<typeof tool.observe>)(intent) }),
  }
}
