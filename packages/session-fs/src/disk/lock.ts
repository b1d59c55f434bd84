import { LoaderError, Owner, type RecoveryFinding, SessionId } from '@loader/session-core'
import { type Layout } from '../format/layout.ts'
import type { Disk } from './disk.ts'
import { codeOf } from './file-errors.ts'
import { temporaryName } from './new-file.ts'
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
   * Up to where its writer has told that events are stored. No truth, and perhaps a little behind: for those who watch,
   * so that the newest event shows although nothing follows it. Absent in what older versions wrote.
   */
  readonly durable?: number
}

/**
 * The right to write one session, for one epoch.
 *
 * Invariants:
 * 1. At most one writer per epoch: the file is linked into place whole, and linking never replaces.
 * 2. A writer owns the session while its own lock exists and that of the next epoch does not.
 * 3. The newest lock is never removed, so an epoch is never given twice.
 */
export class Lock {
  readonly epoch: number
  readonly #disk: Disk
  readonly #layout: Layout
  readonly #content: LockContent
  readonly #path: string
  readonly #next: string
  #hasFailed = false
  #durable = 0

  constructor(disk: Disk, layout: Layout, epoch: number, content: LockContent) {
    this.epoch = epoch
    this.#disk = disk
    this.#layout = layout
    this.#content = content
    this.#path = layout.lock(epoch)
    this.#next = layout.lock(epoch + 1)
  }

  /** Throws when another writer has taken over. */
  requireOwnership(): void {
    const isThere = this.#disk.exists(this.#path)
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
   * Older locks say nothing any more once a record and the head of this epoch are durable: the epoch is known then without
   * them, and where to look for this lock. The oldest goes first: no gap opens.
   */
  removeOlder(): void {
    let oldest = this.epoch
    while (oldest > 1 && this.#disk.exists(this.#layout.lock(oldest - 1))) oldest -= 1
    for (let epoch = oldest; epoch < this.epoch; epoch += 1) this.#disk.removeIfThere(this.#layout.lock(epoch))
  }

  /**
   * Gives the session free, or marks it as deleted. The file stays, and is written in place: that needs no space, and
   * nobody else ever writes to it. Whoever meets it half written takes it to be free, which it is about to be.
   */
  mark(state: 'released' | 'deleted'): void {
    this.#rewrite(state === 'released' && this.#hasFailed ? 'abandoned' : state)
  }

  /** Says up to where events are stored. Whoever meets it half written takes it to say nothing. */
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
    const fd = this.#openAgain()
    // Whoever took over has a lock of their own; there is nothing left to say in this one.
    if (fd === undefined) return
    try {
      this.#disk.writeAll(fd, Buffer.from(text), position)
    } finally {
      this.#disk.fs.closeSync(fd)
    }
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

  #openAgain(): number | undefined {
    try {
      return this.#disk.fs.openSync(this.#path, 'r+')
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    }
  }
}

export function textOf({ durable = 0, ...content }: LockContent): string {
  return `${JSON.stringify(content).slice(0, -1)},"durable":${markOf(durable)}`
}

/** Twice, and of a length that never changes: one that is met half written does not say the same in both places. */
function markOf(durable: number): string {
  const number = String(durable).padStart(16)
  return `[${number},${number}]}\n`
}

/** Takes the lock of the epoch, or returns undefined when somebody else was faster. */
export function takeLock(disk: Disk, layout: Layout, epoch: number, content: LockContent): Lock | undefined {
  const temporary = temporaryName(layout.lock(epoch))
  writeWhole(disk, temporary, content)
  try {
    disk.fs.linkSync(temporary, layout.lock(epoch))
  } catch (error) {
    disk.removeIfThere(temporary)
    // Whoever was faster may have removed our file already.
    if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOENT') return undefined
    if (!cannotLink(error)) throw error
    return takeWithoutLink(disk, layout, epoch, content)
  }
  const lock = new Lock(disk, layout, epoch, content)
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

/** Whether the writer behind a lock may still write. Whoever cannot be asked is taken to be alive. */
export function isHeld(lock: LockContent | 'unreadable' | undefined, processes: ProcessTable): boolean {
  if (lock === undefined || lock === 'unreadable') return false
  if (lock.state !== 'held' && lock.state !== 'making') return false
  return processes.stateOf(lock.process) !== 'dead'
}

/** Whether what lies under the name is no session: not any more, or not yet. */
export function isDeleted(lock: LockContent | 'unreadable' | undefined): boolean {
  return typeof lock === 'object' && (lock.state === 'deleted' || lock.state === 'making')
}

/** The holder of a lock, and what is known of whether it still runs. */
export function describeHeld(lock: LockContent | 'unreadable' | undefined, processes: ProcessTable): string {
  const holder = describeHolder(lock)
  if (typeof lock !== 'object' || processes.stateOf(lock.process) !== 'unknown') return holder
  return `${holder}; whether that process still runs cannot be told from here`
}

/** What whoever takes a session from its holder is told. */
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
  return `${owner.path} (${owner.type}, process ${process.pid} on ${process.host})`
}

/** File systems without hard links say so in different ways. */
export function cannotLink(error: unknown): boolean {
  return ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(codeOf(error) ?? '')
}

function takeWithoutLink(disk: Disk, layout: Layout, epoch: number, content: LockContent): Lock | undefined {
  try {
    writeWhole(disk, layout.lock(epoch), content)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return undefined
    throw error
  }
  return new Lock(disk, layout, epoch, content)
}

function writeWhole(disk: Disk, path: string, content: LockContent): void {
  disk.writeNew(path, Buffer.from(textOf(content)))
}

const states = ['held', 'released', 'abandoned', 'deleted', 'making'] as const

function parseLock(
  value: (Partial<Omit<LockContent, 'durable'>> & { readonly durable?: unknown }) | null,
): LockContent | 'unreadable' {
  const owner = Owner.safeParse(value?.owner)
  const id = SessionId.safeParse(value?.id)
  const state = states.find((each) => each === value?.state)
  if (!value || !state || !owner.success || !id.success || typeof value.process?.pid !== 'number') return 'unreadable'
  return { state, id: id.data, owner: owner.data, process: value.process, durable: durableIn(value.durable) }
}

function durableIn(value: unknown): number {
  if (!Array.isArray(value) || value[0] !== value[1] || !Number.isSafeInteger(value[0])) return 0
  return Number(value[0])
}
