/** The media type of an image whose exact type is unknown. */
export const anyImage = 'image/*'

/** The first characters of images in base64. */
const beginnings = { iVBORw: 'image/png', '/9j/': 'image/jpeg', R0lGOD: 'image/gif', UklGR: 'image/webp' }

/** The media type, detected from the bytes when only `image/*` is known. */
export function imageTypeOf(mediaType: string, base64: string): string {
  if (/^image\/[^*]/.test(mediaType)) return mediaType
  const [, found] = Object.entries(beginnings).find(([beginning]) => base64.startsWith(beginning)) ?? []
  return found ?? 'image/jpeg'
}
