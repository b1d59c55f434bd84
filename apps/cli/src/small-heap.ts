import { setFlagsFromString } from 'node:v8'

/** By then the first request is on its way, and short commands have ended. */
const laterMs = 100

/**
 * Has V8 take no more memory than it needs. By itself it gives a program that makes much garbage young generations of
 * 16 MiB, and lets what has grown old grow to several times its size before it looks what of it is still needed: twice
 * the memory after 300 turns, and no time is saved by it. Node reads no such option from the command, so it is set in
 * the process, later: loading the module takes a moment.
 */
export function keepHeapSmall(): void {
  const set = () => {
    setFlagsFromString('--semi-space-growth-factor=1')
    setFlagsFromString('--heap-growing-percent=100')
  }
  setTimeout(set, laterMs).unref()
}
