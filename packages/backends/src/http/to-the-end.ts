const patienceMs = 1000

/**
 * Reads the rest of the stream after a complete answer, usually just its end: a connection can only be reused after
 * that. Errors are ignored, and it stops waiting after a short time.
 */
export async function toTheEnd(next: () => Promise<{ readonly done?: boolean }>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patienceMs)
  })
  const reading = async () => {
    let isOver = false
    while (!isOver) isOver = (await next()).done === true
  }
  await Promise.race([reading().catch(() => undefined), deadline])
  clearTimeout(timer)
}
