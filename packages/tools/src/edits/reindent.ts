/**
 * Indents new lines for the file: the model wrote them to fit `wanted`, and `found` is the same block in the file.
 * Lines that do not change come out as in the file.
 */
export function reindent(wanted: readonly string[], found: readonly string[], now: readonly string[]): string[] {
  const asFound = new Map(wanted.map((line, index) => [line, found[index] ?? line]))
  const shift = shiftOf(wanted, found)
  return now.map((line) => asFound.get(line) ?? (line.trim() === '' ? line : shift(line)))
}

function shiftOf(wanted: readonly string[], found: readonly string[]): (line: string) => string {
  const pairs = wanted
    .map((line, index) => ({ line, from: indentOf(line), to: indentOf(found[index] ?? '') }))
    .filter(({ line }) => line.trim() !== '')
  if (pairs.every(({ from, to }) => from === to)) return (line) => line
  const added = commonPrefix(
    pairs.map(({ from, to }) => (to.endsWith(from) ? to.slice(0, to.length - from.length) : undefined)),
  )
  if (added !== undefined) return (line) => added + line
  const dropped = commonPrefix(
    pairs.map(({ from, to }) => (from.endsWith(to) ? from.slice(0, from.length - to.length) : undefined)),
  )
  if (dropped !== undefined) return (line) => (line.startsWith(dropped) ? line.slice(dropped.length) : line.trimStart())
  return translated(new Map(pairs.map(({ from, to }) => [from, to])))
}

/** The prefix that all share, or undefined when they differ. */
function commonPrefix(prefixes: readonly (string | undefined)[]): string | undefined {
  const [first] = prefixes
  return prefixes.every((prefix) => prefix === first) ? first : undefined
}

/** Replaces known pieces of indentation, such as tabs by spaces, the longest first. */
function translated(known: ReadonlyMap<string, string>): (line: string) => string {
  const pieces = [...known.keys()].filter((piece) => piece !== '').sort((one, other) => other.length - one.length)
  const base = known.get('') ?? ''
  return (line) => {
    let rest = indentOf(line)
    let indent = base
    for (let piece = pieceOf(rest, pieces); piece !== undefined; piece = pieceOf(rest, pieces)) {
      const whole = known.get(piece) ?? piece
      indent = indent === base && whole.startsWith(base) ? whole : indent + whole.slice(base.length)
      rest = rest.slice(piece.length)
    }
    return indent + rest + line.trimStart()
  }
}

function pieceOf(rest: string, pieces: readonly string[]): string | undefined {
  return pieces.find((piece) => rest.startsWith(piece))
}

function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length)
}
