/** One element of a pattern: any text, one character of a class, or one exact character. */
type Token = { readonly kind: 'star' } | { readonly kind: 'one'; readonly holds: (character: string) => boolean }

/** Whether a glob matches the whole text: `*`, `?`, `[a-z]`, and a backslash before a literal character. */
export function globMatches(pattern: string, text: string): boolean {
  return tokensMatch(tokensOf(pattern, true), Array.from(text))
}

/** The same with `*` as the only special character. */
export function starMatches(pattern: string, text: string): boolean {
  return tokensMatch(tokensOf(pattern, false), Array.from(text))
}

function tokensOf(pattern: string, isGlob: boolean): Token[] {
  const tokens: Token[] = []
  const parts = isGlob ? /\\[^]|\[[!^]?\]?(?:\[:\w+:\]|[^\]])*\]|[^]/gu : /\\[^]|[^]/gu
  for (const [part] of pattern.matchAll(parts)) {
    if (part === '*') {
      if (tokens.at(-1)?.kind !== 'star') tokens.push({ kind: 'star' })
    } else if (isGlob && part === '?') tokens.push({ kind: 'one', holds: () => true })
    else if (isGlob && part.length > 2 && part.startsWith('[')) tokens.push({ kind: 'one', holds: bracket(part) })
    else {
      const wanted = part.length > 1 && part.startsWith('\\') ? part.slice(1) : part
      tokens.push({ kind: 'one', holds: (character) => character === wanted })
    }
  }
  return tokens
}

/** Named classes match any character. Callers that must not match too much refuse such patterns. */
function bracket(part: string): (character: string) => boolean {
  if (part.includes('[:')) return () => true
  const negated = /^\[[!^]/.test(part)
  const items = [...part.slice(negated ? 2 : 1, -1).matchAll(/([^])-([^])|[^]/gu)]
  return (character) => {
    const isIn = items.some(([one, from, to]) =>
      from === undefined || to === undefined ? one === character : from <= character && character <= to,
    )
    return isIn !== negated
  }
}

function tokensMatch(tokens: readonly Token[], text: readonly string[]): boolean {
  return sequenceMatches(tokens, text, (token, character) => token.kind === 'one' && token.holds(character))
}

/**
 * Whether a sequence of elements, some of which match any number of items, matches all items. It backtracks only to the
 * last of these, so the time is at most the product of both lengths.
 */
export function sequenceMatches<Element extends { readonly kind: string }, Item>(
  pattern: readonly Element[],
  items: readonly Item[],
  holds: (element: Element, item: Item) => boolean,
): boolean {
  let at = 0
  let element = 0
  let star = -1
  let resumeAt = 0
  while (at < items.length) {
    const current = pattern[element]
    const item = items[at]
    if (current?.kind === 'star') {
      star = element++
      resumeAt = at
    } else if (current !== undefined && item !== undefined && holds(current, item)) {
      element++
      at++
    } else if (star === -1) {
      return false
    } else {
      element = star + 1
      at = ++resumeAt
    }
  }
  return pattern.slice(element).every(({ kind }) => kind === 'star')
}
