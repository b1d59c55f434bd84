const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Implemented here, because platforms differ in what they offer. */
export function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let index = 0; index < bytes.length; index += 3) {
    const [first = 0, second = 0, third = 0] = [bytes[index], bytes[index + 1], bytes[index + 2]]
    const bits = (first << 16) | (second << 8) | third
    text += digit(bits >> 18) + digit(bits >> 12) + digit(bits >> 6) + digit(bits)
  }
  const padding = (3 - (bytes.length % 3)) % 3
  return text.slice(0, text.length - padding) + '='.repeat(padding)
}

function digit(bits: number): string {
  return digits.charAt(bits & 63)
}
