import type { ShownMessage } from '../schemas/show.ts'
import { inOneLine } from './terminal-text.ts'

/** Who says a message, for people. */
export function speakerOf({ role, origin, source = 'user' }: ShownMessage): string {
  switch (origin) {
    case 'input':
    case 'steering':
      return source === 'user' || source === 'steering' ? 'You' : `Said by ${inOneLine(source)}`
    case 'model':
      return 'Model'
    case 'tool':
      return 'Result'
    case 'note':
      return 'Loader'
    case 'summary':
      return 'Summary'
    case 'import':
      return role === 'user' ? 'You' : role === 'assistant' ? 'Model' : role
    default:
      return origin satisfies never
  }
}
