import type { CallResult, FileStatus, FileSystemPort, MakeDirectoryOptions, OpenFlags } from './file-system-port.ts'

/** The arguments of each kind of call. Of two paths the second is `dest`, as in the errors of Node. */
export interface Calls {
  readonly open: { readonly kind: 'open'; readonly path: string; readonly flags: OpenFlags; readonly mode: number }
  readonly close: { readonly kind: 'close'; readonly fd: number }
  readonly read: Transfer & { readonly kind: 'read'; readonly into: Uint8Array }
  readonly write: Transfer & { readonly kind: 'write'; readonly data: Uint8Array }
  readonly readFile: { readonly kind: 'readFile'; readonly path: string }
  readonly fsync: { readonly kind: 'fsync'; readonly fd: number }
  readonly fdatasync: { readonly kind: 'fdatasync'; readonly fd: number }
  readonly ftruncate: { readonly kind: 'ftruncate'; readonly fd: number; readonly length: number }
  readonly rename: { readonly kind: 'rename'; readonly path: string; readonly dest: string }
  readonly link: { readonly kind: 'link'; readonly path: string; readonly dest: string }
  readonly unlink: { readonly kind: 'unlink'; readonly path: string }
  readonly mkdir: { readonly kind: 'mkdir'; readonly path: string; readonly options: MakeDirectoryOptions }
  readonly rmdir: { readonly kind: 'rmdir'; readonly path: string }
  readonly readdir: { readonly kind: 'readdir'; readonly path: string }
  readonly stat: { readonly kind: 'stat'; readonly path: string }
}

interface Transfer {
  readonly fd: number
  readonly offset: number
  readonly length: number
  readonly position: number | null
}

/** The result of each kind of call. */
export interface Results {
  readonly open: number
  readonly close: void
  readonly read: number
  readonly write: number
  readonly readFile: Uint8Array
  readonly fsync: void
  readonly fdatasync: void
  readonly ftruncate: void
  readonly rename: void
  readonly link: void
  readonly unlink: void
  readonly mkdir: string | undefined
  readonly rmdir: void
  readonly readdir: string[]
  readonly stat: FileStatus | undefined
}

/** A call of the file system at which a fault can happen. */
export type CallKind = keyof Calls

export type Call = Calls[CallKind]

/** Sees every call to a file system, and decides its result. */
export interface Interceptor {
  now<Kind extends CallKind>(call: Calls[Kind]): Results[Kind]
  later<Kind extends CallKind>(call: Calls[Kind], callback: CallResult<Results[Kind]>): void
}

export function intercepted(interceptor: Interceptor): FileSystemPort {
  const now: Interceptor['now'] = (call) => interceptor.now(call)
  const later: Interceptor['later'] = (call, callback) => interceptor.later(call, callback)
  return {
    openSync: (path, flags, mode = 0o666) => now<'open'>({ kind: 'open', path, flags, mode }),
    closeSync: (fd) => now<'close'>({ kind: 'close', fd }),
    readSync: (fd, into, offset, length, position) => now<'read'>({ kind: 'read', fd, into, offset, length, position }),
    writeSync: (fd, data, offset, length, position) =>
      now<'write'>({ kind: 'write', fd, data, offset, length, position }),
    readFileSync: (path) => now<'readFile'>({ kind: 'readFile', path }),
    fsyncSync: (fd) => now<'fsync'>({ kind: 'fsync', fd }),
    fdatasyncSync: (fd) => now<'fdatasync'>({ kind: 'fdatasync', fd }),
    ftruncateSync: (fd, length) => now<'ftruncate'>({ kind: 'ftruncate', fd, length }),
    renameSync: (path, dest) => now<'rename'>({ kind: 'rename', path, dest }),
    linkSync: (path, dest) => now<'link'>({ kind: 'link', path, dest }),
    unlinkSync: (path) => now<'unlink'>({ kind: 'unlink', path }),
    mkdirSync: (path, options) => now<'mkdir'>({ kind: 'mkdir', path, options }),
    rmdirSync: (path) => now<'rmdir'>({ kind: 'rmdir', path }),
    readdirSync: (path) => now<'readdir'>({ kind: 'readdir', path }),
    statSync: (path) => now<'stat'>({ kind: 'stat', path }),

    open: (path, flags, mode, done) => later<'open'>({ kind: 'open', path, flags, mode }, done),
    close: (fd, done) => later<'close'>({ kind: 'close', fd }, done),
    read: (fd, into, offset, length, position, done) =>
      later<'read'>({ kind: 'read', fd, into, offset, length, position }, done),
    write: (fd, data, offset, length, position, done) =>
      later<'write'>({ kind: 'write', fd, data, offset, length, position }, done),
    readFile: (path, done) => later<'readFile'>({ kind: 'readFile', path }, done),
    fsync: (fd, done) => later<'fsync'>({ kind: 'fsync', fd }, done),
    fdatasync: (fd, done) => later<'fdatasync'>({ kind: 'fdatasync', fd }, done),
    ftruncate: (fd, length, done) => later<'ftruncate'>({ kind: 'ftruncate', fd, length }, done),
    rename: (path, dest, done) => later<'rename'>({ kind: 'rename', path, dest }, done),
    link: (path, dest, done) => later<'link'>({ kind: 'link', path, dest }, done),
    unlink: (path, done) => later<'unlink'>({ kind: 'unlink', path }, done),
    mkdir: (path, options, done) => later<'mkdir'>({ kind: 'mkdir', path, options }, done),
    rmdir: (path, done) => later<'rmdir'>({ kind: 'rmdir', path }, done),
    readdir: (path, done) => later<'readdir'>({ kind: 'readdir', path }, done),
    // A call that succeeds has a status.
    stat: (path, done) => later<'stat'>({ kind: 'stat', path }, (error, status) => done(error, status as FileStatus)),
  }
}

/** Makes the call on a file system. */
export function callNow<Kind extends CallKind>(port: FileSystemPort, call: Calls[Kind]): Results[Kind] {
  return performerOf(call).now(port, call)
}

export function callLater<Kind extends CallKind>(
  port: FileSystemPort,
  call: Calls[Kind],
  done: CallResult<Results[Kind]>,
): void {
  performerOf(call).later(port, call, done)
}

function performerOf<Kind extends CallKind>(call: Calls[Kind]): Performer<Kind> {
  return performers[call.kind as Kind]
}

interface Performer<Kind extends CallKind> {
  now(port: FileSystemPort, call: Calls[Kind]): Results[Kind]
  later(port: FileSystemPort, call: Calls[Kind], done: CallResult<Results[Kind]>): void
}

const performers: { readonly [Kind in CallKind]: Performer<Kind> } = {
  open: {
    now: (port, { path, flags, mode }) => port.openSync(path, flags, mode),
    later: (port, { path, flags, mode }, done) => port.open(path, flags, mode, done),
  },
  close: { now: (port, { fd }) => port.closeSync(fd), later: (port, { fd }, done) => port.close(fd, plain(done)) },
  read: {
    now: (port, { fd, into, offset, length, position }) => port.readSync(fd, into, offset, length, position),
    later: (port, { fd, into, offset, length, position }, done) => port.read(fd, into, offset, length, position, done),
  },
  write: {
    now: (port, { fd, data, offset, length, position }) => port.writeSync(fd, data, offset, length, position),
    later: (port, { fd, data, offset, length, position }, done) => port.write(fd, data, offset, length, position, done),
  },
  readFile: {
    now: (port, { path }) => port.readFileSync(path),
    later: (port, { path }, done) => port.readFile(path, done),
  },
  fsync: { now: (port, { fd }) => port.fsyncSync(fd), later: (port, { fd }, done) => port.fsync(fd, plain(done)) },
  fdatasync: {
    now: (port, { fd }) => port.fdatasyncSync(fd),
    later: (port, { fd }, done) => port.fdatasync(fd, plain(done)),
  },
  ftruncate: {
    now: (port, { fd, length }) => port.ftruncateSync(fd, length),
    later: (port, { fd, length }, done) => port.ftruncate(fd, length, plain(done)),
  },
  rename: {
    now: (port, { path, dest }) => port.renameSync(path, dest),
    later: (port, { path, dest }, done) => port.rename(path, dest, plain(done)),
  },
  link: {
    now: (port, { path, dest }) => port.linkSync(path, dest),
    later: (port, { path, dest }, done) => port.link(path, dest, plain(done)),
  },
  unlink: {
    now: (port, { path }) => port.unlinkSync(path),
    later: (port, { path }, done) => port.unlink(path, plain(done)),
  },
  mkdir: {
    now: (port, { path, options }) => port.mkdirSync(path, options),
    later: (port, { path, options }, done) => port.mkdir(path, options, (error) => done(error, undefined)),
  },
  rmdir: {
    now: (port, { path }) => port.rmdirSync(path),
    later: (port, { path }, done) => port.rmdir(path, plain(done)),
  },
  readdir: {
    now: (port, { path }) => port.readdirSync(path),
    later: (port, { path }, done) => port.readdir(path, done),
  },
  stat: {
    now: (port, { path }) => port.statSync(path, { throwIfNoEntry: false }),
    later: (port, { path }, done) => port.stat(path, done),
  },
}

function plain(done: CallResult<void>): (error: Parameters<CallResult<void>>[0]) => void {
  return (error) => done(error, undefined)
}
