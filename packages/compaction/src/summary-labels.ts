/** The beginnings of lines in a local summary. A later summary parses them. */
export const labels = {
  scope: 'Scope',
  current: 'Current work',
  pending: 'Pending work',
  files: 'Key files referenced',
  shown: 'Images and files that were shown and are not any more',
  tools: 'Tools used',
  requests: 'Recent user requests',
  next: 'Next step',
  fact: 'Fact',
  merged: 'Earlier compacted context',
  count: 'Newly compacted context',
} as const

type Label = (typeof labels)[keyof typeof labels]

export function labelled(label: Label, value: string): string {
  return `- ${label}: ${value}`
}

/** The newest value with a label, from lines without bullets. */
export function valueOf(label: Label, lines: readonly string[]): string | undefined {
  return lines.findLast((line) => hasLabel(label, line))?.slice(label.length + 2)
}

export function hasLabel(label: Label, line: string): boolean {
  return line.startsWith(`${label}: `)
}
