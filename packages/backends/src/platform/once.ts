/** Creates a value on first use and keeps it. A failure is not kept: the next call tries again. */
export function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined
  return () => {
    if (made !== undefined) return made
    const making = make()
    made = making
    making.catch(() => {
      made = undefined
    })
    return making
  }
}
