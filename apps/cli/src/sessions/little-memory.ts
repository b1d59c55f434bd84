import { setFlagsFromString } from 'node:v8'

/** Below this size there is nothing to be saved. */
const large = 4 * 1024 * 1024

/**
 * Before a large file is read: V8 then collects garbage early. By default it lets 100 MB of it pile up beside 30 MB that
 * are in use, because that is faster. The flag changes when it collects, and nothing else that a program could notice.
 */
export function useLittleMemoryFor(bytes: number): void {
  if (bytes >= large) setFlagsFromString('--optimize-for-size')
}
