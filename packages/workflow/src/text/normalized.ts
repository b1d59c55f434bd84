/** A text without differences in case, white space and markdown. */
export function normalized(text: string): string {
  return text
    .trim()
    .replace(/^[^\S\n]*(?:(?:[-+*•>]|#{1,6}|\d+[.)]|\[[ xX]\])[^\S\n]+)+/gm, '')
    .replace(/[`*~]|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
}
