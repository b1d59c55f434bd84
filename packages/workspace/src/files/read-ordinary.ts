import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs'

/** Nothing that people write for a program to read at its start is longer. */
const mostBytes = 16 * 1024 * 1024

/**
 * The text of an ordinary file of ordinary size, also through a link. Where something else has the name it throws, with a
 * code as the system does: a pipe without a writer is not waited for, and a device is not read to its end.
 */
export function readOrdinary(path: string): string {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0))
  try {
    requireOrdinary(path, fstatSync(fd))
    return readFileSync(fd, 'utf8')
  } finally {
    closeSync(fd)
  }
}

function requireOrdinary(path: string, stats: Stats): void {
  if (stats.isDirectory()) throw refusal('EISDIR', `${path} is a folder`)
  if (!stats.isFile()) throw refusal('EFTYPE', `${path} is a pipe, a socket or a device`)
  if (stats.size > mostBytes) throw refusal('EFBIG', `${path} has ${stats.size} bytes`)
}

function refusal(code: string, message: string): Error {
  return Object.assign(new Error(message), { code, syscall: 'read' })
}
