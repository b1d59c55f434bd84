/** Removes what would control the terminal or reorder text. */
export function typedText(text: string): string {
  return text.replace(/(?![\n\r\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
}

const pasteStart = '\x1b[200~'
const pasteEnd = '\x1b[201~'

/** The same for what a terminal sends: sequences of keys stay, pasted text between its marks is cleaned. */
export function typedInput(data: string): string {
  if (data.startsWith(pasteStart) && data.endsWith(pasteEnd)) {
    return `${pasteStart}${typedText(data.slice(pasteStart.length, -pasteEnd.length))}${pasteEnd}`
  }
  return /^\p{Cc}/u.test(data) && !/^[\x80-\x9f]/.test(data) ? data : typedText(data)
}
