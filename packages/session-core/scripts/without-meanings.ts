/**
 * A module of this package without what its schemas mean: `described(schema, meaning)` becomes `schema`. The built code does
 * nothing with meanings, and they are a fifth of a small program that keeps sessions. The JSON Schemas and
 * docs/session-format.md have them: those are written from the sources.
 */
export function withoutMeanings(module: string): string {
  return /^import \{[^}]*\bdescribed\b[^}]*\} from '[./]*(words\/)?schema\.ts'$/m.test(module)
    ? stripped(module)
    : module
}

function stripped(text: string): string {
  let shown = ''
  let from = 0
  for (const { index } of text.matchAll(/\bdescribed\(/g)) {
    // Part of the schema of the call before.
    if (index < from) continue
    const { schema, end } = callAt(text, index + 'described'.length)
    // The module keeps its number of lines, so that the lines in stack traces are those of the sources.
    const lines = '\n'.repeat(text.slice(index, end).split('\n').length - schema.split('\n').length)
    shown += `${text.slice(from, index)}(${stripped(schema)}${lines})`
    from = end
  }
  return shown + text.slice(from)
}

/** Texts and comments, of which nothing counts, and what begins, parts and ends arguments. */
const tokens = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`|\/\*[^]*?\*\/|\/\/.*|[()[\]{},/]/g

/** The first argument of the call whose bracket opens here, and where the call ends. */
function callAt(text: string, open: number): { readonly schema: string; readonly end: number } {
  let depth = 0
  let comma: number | undefined
  for (const { 0: token, index } of text.slice(open).matchAll(tokens)) {
    // The beginning of a pattern, or a division: what follows may be no brackets.
    if (token === '/') break
    if ('([{'.includes(token)) depth += 1
    if (')]}'.includes(token)) depth -= 1
    if (token === ',' && depth === 1) comma ??= open + index
    if (depth === 0 && comma !== undefined) return { schema: text.slice(open + 1, comma), end: open + index + 1 }
    if (depth === 0) break
  }
  const call = text.slice(open, open + 60).split('\n')[0]
  throw new Error(
    `described${call} cannot be read. It takes a schema and a meaning; give a pattern in it a name of its own.`,
  )
}
