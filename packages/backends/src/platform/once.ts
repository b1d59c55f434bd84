/** Makes something when it is first asked for, and keeps it. A failure is not kept: the next one who asks tries again. */
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
