/** How long the last words may take to get out. */
const patienceMs = 1_000

/**
 * Tells of an error that nobody caught, and ends the process. What was recorded lies safe on the disk, so all that is
 * left to do is to say how to go on.
 */
export function onCrash(tell: (error: unknown) => void): { stop(): void } {
  const crash = (error: unknown) => {
    stop()
    const leave = () => process.exit(1)
    setTimeout(leave, patienceMs)
    try {
      tell(error)
    } finally {
      process.stdout.write('', leave)
    }
  }
  const stop = () => void process.off('uncaughtException', crash)
  process.on('uncaughtException', crash)
  return { stop }
}
