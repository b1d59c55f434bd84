/**
 * Text of a session as a terminal may show it. What a terminal would obey instead of showing it (escape sequences,
 * other control characters, marks that reorder or hide text) is written out, so that no session can move the cursor,
 * set a title, or look like something else than it is.
 */
const obeyed = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Joiners belong to the spelling of words and emoji. */
const harmless = new Set(['\n', '\u200c', '\u200d'])

/** In one line: every run of white space is one space. */
export function inOneLine(text: string): string {
  return shown(text.replace(/\s+/g, ' ').trim())
}

/** In its own lines, without blank ones at the end. */
export function inLines(text: string): string[] {
  return shown(text.replace(/\r\n?/g, '\n').replace(/\t/g, '  ')).trimEnd().split('\n')
}

/** What most texts consist of; looking for anything else costs time. */
const plain = /^[\n\x20-\x7e]*$/

function shown(text: string): string {
  if (plain.test(text)) return text
  return text.replace(obeyed, (mark) => (harmless.has(mark) ? mark : written(mark)))
}

function written(mark: string): string {
  const code = mark.codePointAt(0) ?? 0
  const hex = code.toString(16)
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\u{${hex}}`
}

/** For a file that may end up in a terminal: the same, as one text. */
export function inText(text: string): string {
  return inLines(text).join('\n')
}
