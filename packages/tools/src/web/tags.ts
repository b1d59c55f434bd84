/** A piece of HTML: text, or a tag. Whatever is neither is skipped. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'open'; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly kind: 'close'; readonly name: string }

/** In these, everything up to their end is text, and none of it for people. */
const raw: ReadonlySet<string> = new Set(['script', 'style', 'iframe', 'noembed', 'noframes', 'xmp', 'plaintext'])

/**
 * Reads HTML as it comes, in time that grows with its length alone: it looks at each character a bounded number of times,
 * whatever a hostile page leaves open.
 */
export function* piecesOf(html: string): Generator<Piece> {
  // Only letters of ASCII, so that places stay the same.
  const lower = html.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  let place = 0
  while (place < html.length) {
    const at = html.indexOf('<', place)
    const end = at < 0 ? html.length : at
    if (end > place) yield { kind: 'text', text: withEntities(html.slice(place, end)) }
    if (at < 0) return
    if (html.startsWith('<!--', at)) {
      place = after(html.indexOf('-->', at + 4), 3, html)
    } else if (html[at + 1] === '!' || html[at + 1] === '?') {
      place = after(html.indexOf('>', at), 1, html)
    } else if (/[a-z/]/.test(lower[at + 1] ?? '')) {
      const tag = tagAt(html, lower, at)
      place = tag.end
      if (tag.name !== '') yield tag.isClose ? { kind: 'close', name: tag.name } : { kind: 'open', ...tag }
      if (!tag.isClose && raw.has(tag.name)) place = after(lower.indexOf(`</${tag.name}`, place), 0, html)
    } else {
      yield { kind: 'text', text: '<' }
      place = at + 1
    }
  }
}

function after(found: number, length: number, html: string): number {
  return found < 0 ? html.length : found + length
}

interface Tag {
  readonly name: string
  readonly isClose: boolean
  readonly attributes: ReadonlyMap<string, string>
  readonly end: number
}

const longestName = 40
const mostAttributes = 60

function tagAt(html: string, lower: string, at: number): Tag {
  const isClose = html[at + 1] === '/'
  let place = at + (isClose ? 2 : 1)
  const start = place
  while (place < html.length && /[a-z0-9:-]/.test(lower[place] ?? '') && place - start < longestName) place += 1
  const name = lower.slice(start, place)
  const attributes = new Map<string, string>()
  while (place < html.length && html[place] !== '>') {
    const begin = place
    while (place < html.length && !/[\s=>/"']/.test(html[place] ?? '')) place += 1
    const key = lower.slice(begin, Math.min(place, begin + longestName))
    let value = ''
    let next = skipSpace(html, place)
    if (key !== '' && html[next] === '=') {
      next = skipSpace(html, next + 1)
      const quote = html[next]
      if (quote === '"' || quote === "'") {
        const close = html.indexOf(quote, next + 1)
        place = close < 0 ? html.length : close + 1
        value = html.slice(next + 1, close < 0 ? html.length : close)
      } else {
        place = next
        while (place < html.length && !/[\s>]/.test(html[place] ?? '')) place += 1
        value = html.slice(next, place)
      }
    } else if (place === begin) {
      place += 1
    }
    if (key !== '' && attributes.size < mostAttributes && !attributes.has(key)) attributes.set(key, withEntities(value))
  }
  return { name, isClose, attributes, end: Math.min(html.length, place + 1) }
}

function skipSpace(html: string, from: number): number {
  let place = from
  while (place < html.length && /\s/.test(html[place] ?? '')) place += 1
  return place
}

/** Names and what they stand for, in pairs. */
const pairs = `
  amp & lt < gt > quot " apos ' mdash — ndash – hellip … lsquo ‘ rsquo ’ ldquo “ rdquo ” laquo « raquo » copy ©
  reg ® trade ™ deg ° middot · bull • sect § para ¶ times × divide ÷ plusmn ± minus − ne ≠ le ≤ ge ≥ asymp ≈ infin
  ∞ larr ← rarr → uarr ↑ darr ↓ harr ↔ rArr ⇒ euro € pound £ yen ¥ cent ¢ frac12 ½ frac14 ¼ auml ä ouml ö uuml ü
  Auml Ä Ouml Ö Uuml Ü szlig ß eacute é egrave è agrave à ccedil ç ntilde ñ aring å oslash ø aelig æ acute ´ check
  ✓ lbrace { rbrace } lbrack [ rbrack ] lpar ( rpar ) colon : num # ast * lowbar _ vert |`

const named: ReadonlyMap<string, string> = new Map([
  ...['nbsp', 'ensp', 'emsp', 'thinsp'].map((name) => [name, ' '] as const),
  ...(pairs.match(/[^\s]+\s+[^\s]+/g) ?? []).map((pair) => {
    const [name = '', character = ''] = pair.split(/\s+/)
    return [name, character] as const
  }),
])

function withEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([\dA-Fa-f]{1,6})|([A-Za-z][A-Za-z\d]{1,20}));/g,
    (whole, decimal, hex, name) => {
      if (name !== undefined) return named.get(name) ?? whole
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
      const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
      return isCharacter ? String.fromCodePoint(code) : ''
    },
  )
}
