import { LoaderError, Owner, ownerInWords, type RecoveryFinding, SessionId } from '@loader/session-core'
import { type Layout } from '../format/layout.ts'
import type { Disk } from './disk.ts'
import type { FileFacts } from './file-system.ts'
import { codeOf } from './file-errors.ts'
import { replaceFile, temporaryName } from './new-file.ts'
import type { ProcessIdentity, ProcessTable } from './process-table.ts'

/** What a lock file says. */
export interface LockContent {
  /**
   * `abandoned`: given free after something failed, so that files may be left over. `making`: its files are being put
   * together; without its maker they are nothing.
   */
  readonly state: (typeof states)[number]
  readonly id: string
  readonly owner: Owner
  readonly process: ProcessIdentity
  /**
   * Up to where its writer has told that events are stored. No truth, and perhaps a little behind: it is for watchers, so
   * that they see the newest event although nothing follows it. Absent in locks that older versions wrote.
   */
  readonly durable?: number
  /** Of lock 0, which stays of a session that was deleted: the last epoch that was given. */
  readonly epoch?: number
}

/**
 * The right to write one session, for one epoch.
 *
 * Invariants:
 * 1. At most one writer per epoch: the file is linked into place whole, and linking never replaces.
 * 2. A writer owns the session while its name leads to the file that it made, and there is no lock of the next epoch. The
 *    file is held open, so that no other one can have its number.
 * 3. A lock is removed only once something durable says that its epoch was given: the snapshot, or lock 0. A claimer that
 *    took a lock asks them again (`newestWith`), so that a number that was read before and given since gives no right.
 */
export class Lock {
  readonly epoch: number
  readonly #disk: Disk
  readonly #layout: Layout
  readonly #content: LockContent
  readonly #path: string
  readonly #next: string
  readonly #file: LockFile
  #hasFailed = false
  #isClosed = false
  #durable = 0
  #isTidy = true

  constructor(disk: Disk, layout: Layout, epoch: number, { content, file }: { content: LockContent; file: LockFile }) {
    this.epoch = epoch
    this.#disk = disk
    this.#layout = layout
    this.#content = content
    this.#file = file
    this.#path = layout.lock(epoch)
    this.#next = layout.lock(epoch + 1)
  }

  /** Throws when another writer has taken over. */
  requireOwnership(): void {
    const isThere = this.#isInPlace()
    const next = this.#disk.exists(this.#next) ? readLock(this.#disk, this.#next) : undefined
    if (isThere && next === undefined) return
    const { id } = this.#content
    throw new LoaderError(
      'writer_fenced',
      next === undefined
        ? `The lock of session ${id} is gone (${this.#path}): it was taken over, or its files were moved or removed. ` +
            'Nothing more is written here; look whether the session is still there, and load it again.'
        : `Session ${id} was taken over by ${describeHolder(next)}. Nothing more is written here; load it to see what ` +
            'it is now.',
    )
  }

  /**
   * Older locks say nothing any more once a record and the snapshot of this epoch are durable: the epoch is known then without
   * them, and where to look for this lock. The oldest goes first: no gap opens.
   */
  removeOlder(): void {
    let oldest = this.epoch
    while (oldest > 1 && this.#disk.exists(this.#layout.lock(oldest - 1))) oldest -= 1
    for (let epoch = oldest; epoch < this.epoch; epoch += 1) this.#disk.removeIfThere(this.#layout.lock(epoch))
  }

  /** Says durably, before the snapshot goes, which epochs were given; and nothing else, for it stays. */
  async remember(): Promise<void> {
    const { id } = this.#content
    const content: LockContent = { state: 'deleted', id, ...nobody, epoch: this.epoch }
    await replaceFile(this.#disk, {
      path: this.#layout.lock(0),
      directory: this.#layout.directory,
      bytes: Buffer.from(textOf(content)),
      stillOurs: () => this.requireOwnership(),
    })
  }

  /** The same is said by a snapshot again. */
  forget(): void {
    this.#disk.removeIfThere(this.#layout.lock(0))
  }

  /**
   * Gives the session free, or marks it as deleted. The file stays, and is written in place: that needs no space, and
   * no other process ever writes to it. A reader that meets it half written takes it to be free, as it is about to be.
   */
  mark(state: 'released' | 'deleted'): void {
    try {
      this.#rewrite(state === 'released' && this.#hasFailed ? 'abandoned' : state)
    } finally {
      this.#close()
    }
  }

  /**
   * Gives the session free without a lock: something durable says that this epoch was given, and all files are as it
   * says. Where something failed, the lock has to tell the next writer of it; where it cannot be removed, it is marked.
   */
  release(): void {
    if (this.#hasFailed) return this.mark('released')
    try {
      if (this.#isInPlace()) this.#disk.removeIfThere(this.#path)
    } catch (error) {
      if (codeOf(error) === undefined) throw error
      return this.mark('released')
    }
    this.#close()
  }

  /** Says durably that what was being made is there. Half written, it says so as well. */
  async reveal(): Promise<void> {
    this.#rewrite('released')
    await this.#disk.flush(this.#file.fd)
  }

  /** Takes it back: it was taken on the ground of what was not so any more. */
  withdraw(): void {
    try {
      if (this.#isInPlace()) this.#disk.removeIfThere(this.#path)
    } finally {
      this.#close()
    }
  }

  /** Whether each file of the session has a name that follows from the snapshot. */
  get isTidy(): boolean {
    return this.#isTidy
  }

  /** Something was kept aside, or may be left over, under a name that only the folder tells. */
  noteStray(): void {
    this.#isTidy = false
  }

  /** Says up to where events are stored. A reader that meets it half written takes it to say nothing. */
  tell(durable: number): void {
    this.#durable = durable
    const mark = markOf(durable)
    this.#write(mark, Buffer.byteLength(textOf(this.#content)) - mark.length)
  }

  #rewrite(state: LockContent['state']): void {
    const text = textOf({ ...this.#content, state, durable: this.#durable })
    this.#write(text.padEnd(textOf(this.#content).length, '\n'), 0)
  }

  #write(text: string, position: number): void {
    if (!this.#isClosed) this.#disk.writeAll(this.#file.fd, Buffer.from(text), position)
  }

  /** Something failed under this lock, and files may be left over that the next owner has to clear. */
  noteFailure(): void {
    this.#hasFailed = true
  }

  /** Gives the session free after a failure. Where this fails as well, it is the first failure that matters. */
  abandon(): void {
    this.noteFailure()
    try {
      this.mark('released')
    } catch (error) {
      if (codeOf(error) === undefined) throw error
    }
  }

  #isInPlace(): boolean {
    const there = this.#disk.fs.statSync(this.#path, { throwIfNoEntry: false })
    return there !== undefined && there.ino === this.#file.ino && there.dev === this.#file.dev
  }

  /** Writes to a lock need no flush, so nothing depends on whether closing it succeeds. */
  #close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    closeAnyway(this.#disk, this.#file.fd)
  }
}

/** In the place of who deleted a session, and where. */
const nobody: Pick<LockContent, 'owner' | 'process'> = {
  owner: { type: 'FileSessionStore', path: 'file-session-store' },
  process: { pid: 0, host: '', bootId: null, pidNamespace: null, startedAt: null },
}

/** The file of a lock that was made here, and is open. */
interface LockFile extends Pick<FileFacts, 'dev' | 'ino'> {
  readonly fd: number
}

function closeAnyway(disk: Disk, fd: number): void {
  try {
    disk.fs.closeSync(fd)
  } catch (error) {
    if (codeOf(error) === undefined) throw error
  }
}

function textOf({ durable = 0, ...content }: LockContent): string {
  return `${JSON.stringify(content).slice(0, -1)},"durable":${markOf(durable)}`
}

/** Twice, and of a length that never changes: one that is met half written does not say the same in both places. */
function markOf(durable: number): string {
  const number = String(durable).padStart(16)
  return `[${number},${number}]}\n`
}

/** Takes the lock of the epoch, or returns undefined when another process was faster. */
export function takeLock(disk: Disk, layout: Layout, epoch: number, content: LockContent): Lock | undefined {
  const temporary = temporaryName(layout.lock(epoch))
  const file = makeFile(disk, temporary, content)
  try {
    if (file === undefined) return undefined
    disk.fs.linkSync(temporary, layout.lock(epoch))
  } catch (error) {
    if (file) closeAnyway(disk, file.fd)
    disk.removeIfThere(temporary)
    // The process that was faster may have removed our file already.
    if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOENT') return undefined
    if (!cannotLink(error)) throw error
    return takeWithoutLink(disk, layout, epoch, content)
  }
  const lock = new Lock(disk, layout, epoch, { content, file })
  tidyUp(disk, temporary, lock)
  return lock
}

/** Once the lock is taken, nothing that fails may leave it behind. */
function tidyUp(disk: Disk, temporary: string, lock: Lock): void {
  try {
    disk.removeIfThere(temporary)
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    lock.noteFailure()
  }
}

/** What the lock file says; undefined when there is none, `unreadable` when its writer was cut off by a power cut. */
export function readLock(disk: Disk, path: string): LockContent | 'unreadable' | undefined {
  const bytes = disk.readIfThere(path)
  if (bytes === undefined) return undefined
  try {
    return parseLock(JSON.parse(Buffer.from(bytes).toString('utf8')))
  } catch (error) {
    if (error instanceof SyntaxError) return 'unreadable'
    throw error
  }
}

/** Whether the writer behind a lock may still write. One of another machine cannot be asked, and counts as alive. */
export function isHeld(lock: LockContent | 'unreadable' | undefined, processes: ProcessTable): boolean {
  if (lock === undefined || lock === 'unreadable') return false
  if (lock.state !== 'held' && lock.state !== 'making') return false
  return processes.stateOf(lock.process) !== 'dead'
}

/** The writer behind a lock, with its process; null when there is none, or when it is dead. */
export function holderOf(lock: LockContent | 'unreadable' | undefined, processes: ProcessTable): Owner | null {
  if (typeof lock !== 'object' || !isHeld(lock, processes)) return null
  const { pid, host } = lock.process
  return { ...lock.owner, pid, host }
}

/** Whether the session was closed, so that its snapshot and its row say all that there is. */
export function isClosed(lock: LockContent | 'unreadable' | undefined): boolean {
  return lock === undefined || (typeof lock === 'object' && lock.state === 'released')
}

/** Whether what lies under the name is no session: not any more, or not yet. */
export function isDeleted(lock: LockContent | 'unreadable' | undefined): boolean {
  return typeof lock === 'object' && (lock.state === 'deleted' || lock.state === 'making')
}

/** The holder of a lock, in words; they add when it cannot be told whether it still runs. */
export function describeHeld(lock: LockContent | 'unreadable' | undefined, processes: ProcessTable): string {
  const holder = describeHolder(lock)
  if (typeof lock !== 'object' || processes.stateOf(lock.process) !== 'unknown') return holder
  return `${holder}; whether that process still runs cannot be told from here`
}

/** The finding for a writer that takes a session from its holder. */
export function takenOver(lock: LockContent, processes: ProcessTable): RecoveryFinding {
  const still =
    processes.stateOf(lock.process) === 'alive'
      ? 'which is still running. It writes nothing more to it.'
      : 'of which cannot be told from here whether it still runs. If it does, it writes nothing more to it.'
  return { what: 'taken_over', message: `The session was taken over from ${describeHolder(lock)}, ${still}` }
}

export function describeHolder(lock: LockContent | 'unreadable' | undefined): string {
  if (lock === undefined || lock === 'unreadable') return 'another writer'
  const { owner, process } = lock
  return ownerInWords({ ...owner, ...process })
}

/** File systems without hard links say so in different ways. */
export function cannotLink(error: unknown): boolean {
  return ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(codeOf(error) ?? '')
}

function takeWithoutLink(disk: Disk, layout: Layout, epoch: number, content: LockContent): Lock | undefined {
  try {
    const file = makeFile(disk, layout.lock(epoch), content)
    return file && new Lock(disk, layout, epoch, { content, file })
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return undefined
    throw error
  }
}

/** Makes the file of a lock, and leaves none when it cannot. Undefined when another process has removed it already. */
function makeFile(disk: Disk, path: string, content: LockContent): LockFile | undefined {
  const fd = disk.fs.openSync(path, 'wx+', 0o600)
  try {
    disk.writeAll(fd, Buffer.from(textOf(content)), 0)
    const facts = disk.fs.statSync(path, { throwIfNoEntry: false })
    if (facts !== undefined) return { fd, dev: facts.dev, ino: facts.ino }
  } catch (error) {
    closeAnyway(disk, fd)
    disk.removeIfThere(path)
    throw error
  }
  closeAnyway(disk, fd)
  return undefined
}

const states = ['held', 'released', 'abandoned', 'deleted', 'making'] as const

function parseLock(
  value: (Partial<Omit<LockContent, 'durable'>> & { readonly durable?: unknown }) | null,
): LockContent | 'unreadable' {
  const owner = Owner.safeParse(value?.owner)
  const id = SessionId.safeParse(value?.id)
  const state = states.find((each) => each === value?.state)
  if (!value || !state || !owner.success || !id.success || typeof value.process?.pid !== 'number') return 'unreadable'
  const durable = durableIn(value.durable)
  const { process, epoch } = value
  return { state, id: id.data, owner: owner.data, process, durable, ...(isEpoch(epoch) && { epoch }) }
}

function isEpoch(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0
}

function durableIn(value: unknown): number {
  if (!Array.isArray(value) || value[0] !== value[1] || !Number.isSafeInteger(value[0])) return 0
  return Number(value[0])
}
