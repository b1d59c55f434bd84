const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const values = /* @__PURE__ */ new Map(Array.from(digits, (digit, value) => [digit.charCodeAt(0), value]))

/** The bytes that a text in base64 begins with: at most `most`. It ends at the first character that is no digit. */
export function bytesOfBase64(text: string, most: number = Number.POSITIVE_INFINITY): Uint8Array {
  const bytes = new Uint8Array(Math.min(most, Math.ceil((text.length * 3) / 4)))
  let [length, bits, held] = [0, 0, 0]
  for (let index = 0; index < text.length && length < bytes.length; index += 1) {
    const value = values.get(text.charCodeAt(index))
    if (value === undefined) break
    bits = ((bits << 6) | value) & 0xff_ff
    held += 6
    if (held < 8) continue
    held -= 8
    bytes[length] = (bits >> held) & 0xff
    length += 1
  }
  return bytes.subarray(0, length)
}
