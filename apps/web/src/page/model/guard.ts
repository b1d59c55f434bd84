/** An answer so soon after a question appeared, moved or came back into view was meant for something else. */
export const readingMs = 600
/** A letter that more follows was not meant as an answer either. */
export const aloneMs = 250

/** What is known when somebody presses a letter or a button of a question. Times in milliseconds. */
export interface Pressed {
  readonly now: number
  /** Since when the question stands where it is, in a page that is looked at. */
  readonly stillSince: number
  /** The key before this one; absent for a button. */
  readonly keyBefore?: number | undefined
}

/** Whether it counts. The terminal has the same rule for its letters. */
export function isMeant({ now, stillSince, keyBefore }: Pressed): boolean {
  return now - stillSince >= readingMs && (keyBefore === undefined || now - keyBefore >= readingMs)
}
