const patienceMs = 1000

/**
 * Reads what still comes behind a complete answer, usually nothing but the end: a connection that is left before its
 * end cannot be used again. Whatever goes wrong now is of no interest, and nobody waits long for it.
 */
export async function toTheEnd(next: () => Promise<{ readonly done?: boolean }>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patienceMs)
  })
  const reading = async () => {
    let isOver = false
    while (!isOver) isOver = (await next()).done === true
  }
  await Promise.race([reading().catch(() => undefined), patience])
  clearTimeout(timer)
}
