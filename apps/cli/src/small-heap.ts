import { setFlagsFromString } from 'node:v8'

/** By then the first request has been sent, and short commands have ended. */
const laterMs = 100

/**
 * Limits V8's heap growth. By default V8 uses young generations of 16 MiB for a program with much garbage and lets the
 * old generation grow to several times its live size: twice the memory after 300 turns, without a gain in time. A command
 * cannot pass these options to Node, so they are set at run time, and late, because that takes a moment.
 */
export function keepHeapSmall(): void {
  const set = () => {
    setFlagsFromString('--semi-space-growth-factor=1')
    setFlagsFromString('--heap-growing-percent=100')
  }
  setTimeout(set, laterMs).unref()
}
