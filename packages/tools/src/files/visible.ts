/**
 * Characters that move the cursor, hide text or turn it round. Whoever is asked for a permit must see what is there, so
 * in what they are shown each has a visible stand-in.
 */
const hidden =
  // oxlint-disable-next-line no-control-regex -- these are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/g

export function visible(text: string): string {
  return text.replace(hidden, standIn)
}

function standIn(character: string): string {
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(0x24_00 + code)
  if (code === 0x7f) return '␡'
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
}
