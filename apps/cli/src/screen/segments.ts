let segmenter: Intl.Segmenter | undefined

/**
 * The visible characters of a text. The segmenter is created on first use, because that takes longer than a short
 * command.
 */
export function segmentsOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return segmenter.segment(text)
}
