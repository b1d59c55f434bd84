import type { DiskImage, Inode } from './disk-image.ts'
import { DiskOverlay } from './disk-overlay.ts'
import type { CrashModel } from './crash-states.ts'
import type { RecordedChange, RecordedCall, RecordedEvent } from './recording.ts'

/** A change that was made but that a crash may still undo. */
export interface PendingChange {
  readonly change: RecordedChange
  readonly call: RecordedCall
  /** When its call began and completed, counted in events. */
  readonly begun: number
  completed: number
  /** It was flushed, but an earlier change was not yet. */
  durable: boolean
  /** Its flush failed: no later one writes it. */
  lost: boolean
}

/**
 * A disk in use: its durable content, and the changes that a crash may still undo.
 *
 * Invariants:
 * 1. A flush makes durable the changes that were complete on its inode when it began, once the flush itself completes.
 * 2. Changes of one inode take effect in the order in which they were made.
 */
export class PendingChanges {
  readonly #model: CrashModel
  #settled: DiskOverlay
  #pending: PendingChange[] = []
  readonly #begun = new Map<RecordedCall, number>()
  #now = 0

  constructor(start: DiskImage, model: CrashModel) {
    this.#model = model
    this.#settled = new DiskOverlay(start)
  }

  /** The durable content and the pending changes at this moment, unaffected by later calls. */
  now(): { readonly settled: DiskImage; readonly pending: readonly Readonly<PendingChange>[] } {
    return { settled: this.#settled, pending: this.#pending.map((pending) => ({ ...pending })) }
  }

  take(event: RecordedEvent<unknown>): void {
    this.#now += 1
    switch (event.type) {
      case 'begun':
        this.#begin(event.call)
        return
      case 'completed':
        this.#complete(event.call)
        return
      case 'done':
        this.#begin(event.call)
        this.#complete(event.call)
        return
      case 'lost':
        this.#lose(event.inode)
        return
      case 'mark':
        return
      default:
        event satisfies never
    }
  }

  #begin(call: RecordedCall): void {
    const begun = this.#now
    this.#begun.set(call, begun)
    for (const change of call.changes) {
      this.#pending.push({ change, call, begun, completed: Infinity, durable: false, lost: false })
    }
  }

  #complete(call: RecordedCall): void {
    const begun = this.#begun.get(call) as number
    this.#begun.delete(call)
    for (const pending of this.#pending) if (pending.call === call) pending.completed = this.#now
    if (call.flushes) this.#flush(call.flushes, begun)
  }

  #flush(inode: Inode, begun: number): void {
    const flushed = this.#pending.filter(
      ({ change, completed, lost }) => change.inode === inode && completed < begun && !lost,
    )
    for (const pending of flushed) pending.durable = true
    if (this.#model === 'ordered') this.#flushEntriesBefore(flushed)
    this.#settle()
  }

  /** In the model `ordered`, flushing an entry also flushes all changes completed before it was begun. */
  #flushEntriesBefore(flushed: readonly PendingChange[]): void {
    const entries = flushed.filter(({ change }) => change.kind === 'entries')
    const last = Math.max(0, ...entries.map(({ begun }) => begun))
    for (const pending of this.#pending) {
      if (pending.change.kind === 'entries' && pending.completed < last) pending.durable = true
    }
  }

  /** Applies durable changes to the disk, until an undecided one comes before them. */
  #settle(): void {
    const undecided = new Set<Inode>()
    const next = this.#settled.copy()
    const pending = this.#pending.filter(({ change, durable }) => {
      if (!durable || undecided.has(change.inode)) {
        undecided.add(change.inode)
        return true
      }
      next.apply(change)
      return false
    })
    this.#settled = next
    this.#pending = reachableOf(next, pending)
  }

  #lose(inode: Inode): void {
    for (const pending of this.#pending) {
      if (pending.change.inode === inode && pending.change.kind !== 'entries') pending.lost = true
    }
  }
}

/**
 * Without changes to files that are removed for good: they can never get a name again, so their data does not matter.
 */
function reachableOf(settled: DiskImage, pending: readonly PendingChange[]): PendingChange[] {
  const reachable = new Set<Inode>([settled.root])
  for (const { change } of pending) {
    if (change.kind !== 'entries') continue
    for (const [, inode] of change.entries) if (inode) reachable.add(inode)
  }
  // The set grows during the loop: the entries of a folder are added after it.
  for (const inode of reachable) {
    if (inode.kind === 'file') continue
    for (const below of settled.entriesOf(inode).values()) reachable.add(below)
  }
  return pending.filter(({ change }) => reachable.has(change.inode))
}
