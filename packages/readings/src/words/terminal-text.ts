/**
 * Text of a session that is safe to print to a terminal. Characters that control a terminal (escape sequences, other
 * control characters, marks that reorder or hide text) are written as escapes, so that no session can move the cursor,
 * set a title or disguise its text.
 */
const obeyed = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Joiners are part of the spelling of words and emoji. */
const harmless = new Set(['\n', '\u200c', '\u200d'])

/** On one line: every run of white space becomes one space. */
export function inOneLine(text: string): string {
  return shown(text.replace(/\s+/g, ' ').trim())
}

/** Line by line, without blank lines at the end. */
export function inLines(text: string): string[] {
  return shown(text.replace(/\r\n?/g, '\n').replace(/\t/g, '  ')).trimEnd().split('\n')
}

/** Most texts consist of these characters alone, and skip the slower search. */
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

/** For a file that may be shown in a terminal: the same, as one text. */
export function inText(text: string): string {
  return inLines(text).join('\n')
}
