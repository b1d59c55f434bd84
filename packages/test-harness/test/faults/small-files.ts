import type { FileSystemPort, OpenFlags } from '../../src/faults.ts'

/** Opens, writes, flushes if it is to be, and closes. */
export function put(
  disk: FileSystemPort,
  path: string,
  flags: OpenFlags,
  content: string,
  durability: 'flushed' | 'unflushed',
): void {
  const fd = disk.openSync(path, flags)
  write(disk, fd, content, null)
  if (durability === 'flushed') disk.fsyncSync(fd)
  disk.closeSync(fd)
}

export function write(disk: FileSystemPort, fd: number, content: string, position: number | null): void {
  const data = bytes(content)
  disk.writeSync(fd, data, 0, data.length, position)
}

export function flushFolder(disk: FileSystemPort, path: string): void {
  const fd = disk.openSync(path, 'r')
  disk.fsyncSync(fd)
  disk.closeSync(fd)
}

export function bytes(content: string): Uint8Array {
  return new TextEncoder().encode(content)
}

export function text(content: Uint8Array): string {
  return new TextDecoder().decode(content)
}
