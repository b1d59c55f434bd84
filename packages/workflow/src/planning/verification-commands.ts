/** First words of sentences about checking. Commands never begin with them. */
const prose = new Set(
  (
    'check verify ensure confirm inspect review look see visit manually the that it its if all each every any there ' +
    'no not none then when after before as for to in on by with a an i we you'
  ).split(' '),
)

/**
 * The commands in a section of a plan: its code spans, the lines of its fenced code, and lines that look like a
 * command. Sentences about checking are left out.
 */
export function verificationCommands(lines: readonly string[]): string[] {
  const commands: string[] = []
  let fenced = false
  let continued = ''
  for (const line of lines) {
    if (/^\s*(?:```|~~~)/.test(line)) {
      fenced = !fenced
      continued = ''
    } else if (fenced) {
      const whole = continued + line.trim().replace(/^\$\s+/, '')
      continued = whole.endsWith('\\') ? `${whole.slice(0, -1).trimEnd()} ` : ''
      if (continued === '' && whole !== '' && !whole.startsWith('#')) commands.push(whole)
    } else {
      commands.push(...commandIn(line))
    }
  }
  return [...new Set(commands)]
}

function commandIn(line: string): string[] {
  const text = line.replace(/^\s*(?:(?:[-*+•]|\d+[.)])\s+)?(?:\[[ xX]\]\s+)?/, '').trim()
  const spans = codeSpans(text).map((span) => span.trim().replace(/^\$\s+/, ''))
  if (spans.length > 0) return spans.filter((span) => span !== '').slice(0, 1)
  const command = text.replace(/^(?:\$\s+|run:?\s+)/i, '')
  const [first = ''] = command.split(/\s/)
  const looksLikeOne = /^(?:\.{0,2}\/|~\/|[a-z0-9_]+=)?[a-z0-9][\w.+/@-]*$/.test(first) && !prose.has(first)
  return looksLikeOne && !/[.:]$/.test(command) && !/^make (?:sure|certain)\b/.test(command) ? [command] : []
}

/** The text between two runs of equally many backticks. */
function codeSpans(text: string): string[] {
  const runs = [...text.matchAll(/`+/g)].map(({ index, 0: { length } }) => ({ start: index, length }))
  const closers = new Map<number, number>()
  const next = new Map<number, number>()
  for (const [index, { length }] of [...runs.entries()].toReversed()) {
    const closer = next.get(length)
    if (closer !== undefined) closers.set(index, closer)
    next.set(length, index)
  }
  const spans: string[] = []
  for (let index = 0; index < runs.length; index += 1) {
    const closer = closers.get(index)
    const [open, close] = [runs[index], closer === undefined ? undefined : runs[closer]]
    if (open === undefined || closer === undefined || close === undefined) continue
    spans.push(text.slice(open.start + open.length, close.start))
    index = closer
  }
  return spans
}
