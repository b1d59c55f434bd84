export interface DataUrl {
  readonly mediaType: string
  /** The bytes in base64. */
  readonly data: string
}

/** The parts of a data URL in its plain form, which can be written again unchanged; otherwise undefined. */
export function parseDataUrl(url: string): DataUrl | undefined {
  const comma = url.indexOf(',')
  const [, mediaType] = /^data:([^;,]+);base64$/.exec(url.slice(0, Math.max(comma, 0))) ?? []
  return mediaType === undefined ? undefined : { mediaType, data: url.slice(comma + 1) }
}

export function dataUrl({ mediaType, data }: DataUrl): string {
  return `data:${mediaType};base64,${data}`
}
