/** How long the last output may take. */
const patienceMs = 1_000

/**
 * Reports an uncaught error and ends the process. All recorded events are already on disk, so only the way to resume is
 * printed.
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
