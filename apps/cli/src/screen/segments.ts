let segmenter: Intl.Segmenter | undefined

/** What people take for the characters of a text. Made when needed: it takes longer than a short command needs to start. */
export function segmentsOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return segmenter.segment(text)
}
