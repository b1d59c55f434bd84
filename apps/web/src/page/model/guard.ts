/** An answer this soon after a question appeared, moved or came back into view was meant for something else. */
export const readingMs = 600
/** Nor was a letter that is followed by another key within this time. */
export const aloneMs = 250

/** What is known when the user presses a letter or a button of a question. Times in milliseconds. */
export interface Pressed {
  readonly now: number
  /** Since when the question has not moved, in a visible page. */
  readonly stillSince: number
  /** The key before this one; absent for a button. */
  readonly keyBefore?: number | undefined
}

/** Whether it counts. The terminal has the same rule for its letters. */
export function isMeant({ now, stillSince, keyBefore }: Pressed): boolean {
  return now - stillSince >= readingMs && (keyBefore === undefined || now - keyBefore >= readingMs)
}
