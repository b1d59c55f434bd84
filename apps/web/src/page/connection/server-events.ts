/** One server-sent event. */
export interface ServerEvent {
  /** `message` where it has no name. */
  readonly name: string
  readonly id: string | undefined
  readonly data: string
}

/** Puts server-sent events together from pieces of text, wherever these were cut. */
export function eventParser(): (piece: string) => readonly ServerEvent[] {
  let rest = ''
  return (piece) => {
    const blocks = (rest + piece).split('\n\n')
    rest = blocks.pop() ?? ''
    return blocks.flatMap(eventIn)
  }
}

function eventIn(block: string): readonly ServerEvent[] {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    // No pattern: for those, a line also ends at marks that may be in the middle of a text.
    const end = line.indexOf(':')
    fields.set(line.slice(0, end), line.slice(line[end + 1] === ' ' ? end + 2 : end + 1))
  }
  const data = fields.get('data')
  return data === undefined ? [] : [{ name: fields.get('event') ?? 'message', id: fields.get('id'), data }]
}
