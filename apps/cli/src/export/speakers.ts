import type { ShownMessage } from '@loader/readings'

/** The heading of a message, by its author. */
export function speakers({
  origin,
  role,
  model,
  source = 'user',
}: Pick<ShownMessage, 'origin' | 'role' | 'model' | 'source'>): string {
  switch (origin) {
    case 'input':
    case 'steering':
      if (source !== 'user' && source !== 'steering') return `Said by ${source}`
      return origin === 'input' ? 'User' : 'User, while it ran'
    case 'model':
      return model === undefined ? 'Model' : `Model (${model})`
    case 'tool':
      return 'Result'
    case 'note':
      return 'Note of the runtime'
    case 'summary':
      return 'Summary of what came before'
    case 'import':
      return role === 'user' ? 'User' : role === 'assistant' ? 'Model' : role
    default:
      return origin satisfies never
  }
}
