import type { AndOr, PipelineNode, Word } from 'unbash'

/** The words of a simple command; those that only the shell can fill in are undefined. None for any other node. */
export function literalWords(command: AndOr | PipelineNode): (string | undefined)[] {
  if (command.type !== 'Command' || command.name === undefined) return []
  return [command.name, ...command.args].map((word) => (word.type === 'Word' ? literal(word) : word.text))
}

export function literal({ value, parts = [] }: Word): string | undefined {
  const known = parts.every((part) => {
    if (part.type === 'DoubleQuoted') return part.parts.every(({ type }) => type === 'Literal')
    return (
      part.type === 'Literal' || part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted' || part.type === 'Glob'
    )
  })
  return known ? value : undefined
}
