import nodeFileSystem from 'node:fs'
import { dirname, join } from 'node:path'
import {
  assertSessionId,
  type Claim,
  type ClaimOptions,
  type ListQuery,
  newestFirst,
  pageOf,
  type ReadOptions,
  type RecoveryFinding,
  type SessionPage,
  type SessionState,
  type SessionStore,
  type StoredEvent,
  summarize,
  type Fork,
  type ForkOptions,
  type Inbox,
  type Owner,
  type Salvage,
  type SalvageOptions,
  type StoreCapabilities,
  type Verification,
  type WatchItem,
  type WholeHistory,
} from '@loader/session-core'
import { keepAside } from './disk/aside.ts'
import { type CommitMode, type Disk, systemDisk } from './disk/disk.ts'
import { unreadable, unwritten } from './disk/file-errors.ts'
import type { FileSystem } from './disk/file-system.ts'
import { holderOf, isDeleted, type Lock } from './disk/lock.ts'
import { type FileSystemType, networkFinding, systemFileSystemType } from './disk/network-file-system.ts'
import { newestOf } from './disk/newest-lock.ts'
import { type FileSessionStorePlace, sessionsDirectory } from './disk/place.ts'
import { type ProcessTable, systemProcesses } from './disk/process-table.ts'
import { type Layout, layoutOf } from './format/layout.ts'
import { firstSeed } from './format/segment.ts'
import { indexedPage } from './list/indexed-page.ts'
import { checkedRows, rowOfFiles, rowsOfFiles } from './list/rows-of-files.ts'
import { SessionIndex } from './list/session-index.ts'
import type { Told } from './read/durable-log.ts'
import { hasEvents, notFound } from './read/presence.ts'
import { readEvents } from './read/read.ts'
import type { Recovery } from './read/recover.ts'
import { requireAnything } from './read/survey.ts'
import { watchFiles, type FileWatchOptions } from './read/watch.ts'
import { planSalvage } from './repair/salvage.ts'
import { sweepBlobs } from './repair/sweep-blobs.ts'
import { verifyFiles } from './repair/verify.ts'
import { systemEnvironment } from './system-environment.ts'
import { fileBlobs, readBlob } from './write/blobs.ts'
import { claimFiles } from './write/claim.ts'
import { clearDeleted, clearFiles, markDeleted } from './write/delete.ts'
import { forkContent } from './write/fork.ts'
import { fileInbox } from './write/inbox.ts'
import { freeIdLike, type Maker, makeSession, type SessionContent } from './write/make-session.ts'
import { restoredContent } from './write/restore.ts'
import { FileSessionWriter, type WriterParts } from './write/writer.ts'

/** Settings of a store. The defaults are right for a local disk; the ports exist for tests. */
export interface FileSessionStoreOptions {
  /** Size of the live log at which it is sealed into a segment. */
  readonly rotateAfterBytes?: number
  /** Where appends wait for the disk. */
  readonly commit?: CommitMode
  readonly fileSystem?: FileSystem
  readonly processes?: ProcessTable
  /** Asked once, for the warning about network file systems. */
  readonly fileSystemType?: FileSystemType
  /** Called before a session is claimed, for programs that keep something beside the sessions. The claim throws its errors. */
  readonly beforeClaim?: () => void
}

/** Sessions in files: one folder, nothing shared between sessions but the list. */
export class FileSessionStore implements SessionStore, Omit<StoreCapabilities, 'keepsFiles'> {
  readonly directory: string
  readonly #disk: Disk
  readonly #processes: ProcessTable
  readonly #index: SessionIndex
  readonly #rotateAfterBytes: number
  readonly #fileSystemType: FileSystemType
  readonly #beforeClaim: () => void
  #warned: readonly RecoveryFinding[] | undefined

  constructor(place: FileSessionStorePlace, options: FileSessionStoreOptions = {}) {
    const { rotateAfterBytes = 256 * 1024, commit = 'auto', fileSystem = nodeFileSystem, processes } = options
    this.directory = sessionsDirectory(place)
    this.#rotateAfterBytes = rotateAfterBytes
    this.#beforeClaim = options.beforeClaim ?? (() => undefined)
    this.#fileSystemType =
      options.fileSystemType ?? (fileSystem === nodeFileSystem ? systemFileSystemType : () => undefined)
    this.#processes = processes ?? systemProcesses()
    this.#disk = systemDisk(fileSystem, commit)
    this.#index = new SessionIndex({
      disk: this.#disk,
      directory: this.directory,
      processes: this.#processes,
      rowsOfFiles: () => rowsOfFiles(this.#disk, this.directory),
    })
  }

  async claim(id: string, options: ClaimOptions): Promise<Claim> {
    assertSessionId(id)
    const layout = layoutOf(this.directory, id)
    try {
      return await this.#claim(id, layout, options)
    } catch (error) {
      throw unwritten(error, `claim session ${id}`, layout.journal)
    }
  }

  async #claim(id: string, layout: Layout, options: ClaimOptions): Promise<Claim> {
    const disk = this.#disk
    if (options.expect === 'existing' && !disk.exists(this.directory)) throw notFound(id, this.directory)
    this.#beforeClaim()
    if (options.expect === 'new') await this.#makeDirectory()
    const {
      lock,
      recovery,
      journal,
      replacesDeleted,
      isCutOff,
      findings: taken,
    } = claimFiles(disk, layout, id, options, this.#processes)
    try {
      if (replacesDeleted) await clearFiles(disk, layout, id, { lock, trash: this.#trash })
      // Bytes that the next journal will not have are kept beside it.
      const kept = journal === 'goes aside' ? keepAside(disk, layout.journal) : undefined
      if (kept !== undefined) lock.noteStray()
      const parts: WriterParts = {
        // As it was spelled when the session was opened; the id that was asked for may differ in case.
        id: (recovery && idOf(recovery)) ?? id,
        disk,
        layout,
        lock,
        blobs: fileBlobs(disk, layout, id, lock),
        rotateAfterBytes: this.#rotateAfterBytes,
        list: (state) => this.#putRow(lock, id, state),
        ...(recovery === undefined && {
          announce: async (state) => {
            if (state) await this.#putRow(lock, id, state, { durably: true })
          },
        }),
      }
      const writer = await FileSessionWriter.begin(parts, { recovery: recovery ?? nothingYet(id), journal })
      if (isCutOff) sweepBlobs(disk, layout, id, this.#processes)
      const { state = null, events = [], findings = [] } = recovery ?? {}
      const placedFindings = findings.map((finding) => placed(finding, kept))
      return { writer, state, events, report: { findings: [...taken, ...placedFindings, ...this.#warnings()] } }
    } catch (error) {
      lock.abandon()
      throw error
    }
  }

  async *read(id: string, { fromSeq = 1, gaps = 'refuse' }: ReadOptions = {}): AsyncGenerator<StoredEvent> {
    assertSessionId(id)
    const layout = layoutOf(this.directory, id)
    try {
      if (gaps === 'refuse') this.#requireThere(id)
      else requireAnything(this.#disk, layout, id)
      yield* readEvents(this.#disk, layout, id, { fromSeq, gaps })
    } catch (error) {
      throw unreadable(error, `read session ${id}`, layout.journal)
    }
  }

  async readBlob(id: string, blob: string): Promise<string> {
    assertSessionId(id)
    const layout = layoutOf(this.directory, id)
    return reading(`read session ${id}`, layout.blobs, () => {
      this.#requireThere(id)
      return readBlob(this.#disk, layout, id, blob)
    })
  }

  async list(query: ListQuery = {}): Promise<SessionPage> {
    const page = indexedPage(this.#disk, this.directory, query)
    return page ?? reading('list the sessions', this.directory, () => this.#listFiles(query))
  }

  #listFiles(query: ListQuery): SessionPage {
    const rows =
      query.check === true
        ? checkedRows(this.#disk, this.directory, this.#index.rows() ?? [])
        : rowsOfFiles(this.#disk, this.directory)
    return pageOf(newestFirst(rows), query)
  }

  /**
   * A new session with the events of this one, up to `atSeq` or all of them. Works while a writer holds the session,
   * and does not change it.
   */
  async fork(
    id: string,
    atSeq?: number,
    { environment = systemEnvironment(), id: newId = environment.newId('ses') }: Partial<ForkOptions> = {},
  ): Promise<Fork> {
    assertSessionId(id)
    assertSessionId(newId)
    const layout = layoutOf(this.directory, id)
    const { from, content } = reading(`fork session ${id}`, this.directory, () => {
      this.#requireThere(id)
      return forkContent(this.#disk, layout, id, { atSeq, newId, at: environment.now() })
    })
    await this.#make(content)
    return { id: newId, from }
  }

  /**
   * Follows a session that another process writes, from an event on: its durable events, without a gap, and when the
   * writer changes. A new event shows a moment after its writer was told that it is stored.
   */
  watch(id: string, fromSeq = 1, options: FileWatchOptions = {}): AsyncIterableIterator<WatchItem> {
    assertSessionId(id)
    const layout = layoutOf(this.directory, id)
    return watchFiles(this.#disk, layout, id, fromSeq, () => this.#requireThere(id), options)
  }

  /** Messages for the process that holds the session. Copies of the session do not include them. */
  inbox(id: string): Inbox {
    assertSessionId(id)
    const layout = layoutOf(this.directory, id)
    const inbox = fileInbox(this.#disk, layout, {
      requireThere: () => this.#requireThere(id),
      newestEpoch: () => newestOf(this.#disk, layout, id).epoch,
    })
    const what = `reach the inbox of session ${id}`
    return {
      put: (message) => writing(what, layout.inbox, () => inbox.put(message)),
      messages: () => writing(what, layout.inbox, () => inbox.messages()),
      remove: (messageId, epoch) => writing(what, layout.inbox, () => inbox.remove(messageId, epoch)),
    }
  }

  /** The writer that holds the session, with its process; null when there is none, or when it is dead. */
  async holder(id: string): Promise<Owner | null> {
    assertSessionId(id)
    const layout = layoutOf(this.directory, id)
    return reading(`look at session ${id}`, this.directory, () => {
      this.#requireThere(id)
      return holderOf(newestOf(this.#disk, layout, id).lock, this.#processes)
    })
  }

  /** Looks at every byte that belongs to a session, and says which files are as they were written. Reads only. */
  async verify(id: string): Promise<Verification> {
    assertSessionId(id)
    const layout = layoutOf(this.directory, id)
    return reading(`verify session ${id}`, this.directory, () => {
      requireAnything(this.#disk, layout, id)
      return verifyFiles(this.#disk, layout, id, this.#processes)
    })
  }

  /** A copy, under another id, of all that is intact of a session. Not a byte of the session itself is touched. */
  async salvage(id: string, { as, environment = systemEnvironment() }: Partial<SalvageOptions> = {}): Promise<Salvage> {
    assertSessionId(id)
    if (as !== undefined) assertSessionId(as)
    const layout = layoutOf(this.directory, id)
    const { content, kept, lost } = reading(`salvage session ${id}`, this.directory, () => {
      requireAnything(this.#disk, layout, id)
      const newId = as ?? freeIdLike(id, '-salvaged', (free) => this.#maker(free))
      const options = { newId, at: environment.now(), segmentBytes: this.#rotateAfterBytes }
      return planSalvage(this.#disk, layout, id, options)
    })
    await this.#make(content)
    return { id: content.id, kept, lost }
  }

  async restore(history: WholeHistory): Promise<void> {
    assertSessionId(history.id)
    const content = restoredContent(history, this.#rotateAfterBytes)
    this.#beforeClaim()
    await this.#makeDirectory()
    await this.#make(content)
  }

  /** Moves the session to the folder `_trash` beside it; with `erase`, it is gone. */
  async delete(id: string, { erase = false }: { readonly erase?: boolean } = {}): Promise<void> {
    assertSessionId(id)
    const layout = layoutOf(this.directory, id)
    try {
      const lock = markDeleted(this.#disk, layout, id, this.#processes)
      if (erase) await this.#index.erase(id)
      else await this.#index.put({ id, deleted: true })
      await clearDeleted(this.#disk, layout, id, { lock, trash: erase ? undefined : this.#trash })
    } catch (error) {
      throw unwritten(error, `delete session ${id}`, layout.snapshot)
    }
  }

  /** Writes the row of a session that is held. A writer displaced meanwhile puts it back as the files have it. */
  async #putRow(
    lock: Lock,
    id: string,
    state: SessionState,
    options: { readonly durably?: boolean } = {},
  ): Promise<void> {
    lock.requireOwnership()
    await this.#index.put(summarize(state), options)
    try {
      lock.requireOwnership()
    } catch (error) {
      await this.#index.put(rowOfFiles(this.#disk, this.directory, id) ?? { id, deleted: true })
      throw error
    }
  }

  #warnings(): readonly RecoveryFinding[] {
    this.#warned ??= [networkFinding(this.directory, this.#fileSystemType(this.directory)) ?? []].flat()
    return this.#warned
  }

  get #trash(): string {
    return join(this.directory, '_trash')
  }

  /** Gives what the newest lock tells of the events. */
  #requireThere(id: string): Told {
    const layout = layoutOf(this.directory, id)
    const disk = this.#disk
    const { epoch, lock } = newestOf(disk, layout, id)
    if (isDeleted(lock) || !hasEvents(disk, layout, id)) throw notFound(id, this.directory)
    return { epoch, durable: typeof lock === 'object' ? (lock.durable ?? 0) : 0 }
  }

  #maker(id: string): Maker {
    const layout = layoutOf(this.directory, id)
    return { disk: this.#disk, layout, processes: this.#processes, trash: this.#trash }
  }

  async #make(content: SessionContent): Promise<void> {
    try {
      await makeSession(this.#maker(content.id), content)
      await this.#index.put(summarize(content.state), { durably: true })
    } catch (error) {
      throw unwritten(error, `make session ${content.id}`, this.directory)
    }
  }

  async #makeDirectory(): Promise<void> {
    if (this.#disk.exists(this.directory)) return
    try {
      const made = this.#disk.fs.mkdirSync(this.directory, { recursive: true, mode: 0o700 })
      await this.#flushParents(typeof made === 'string' ? made : this.directory)
    } catch (error) {
      throw unwritten(error, 'make the folder for sessions', this.directory)
    }
  }

  /** Names of new folders are as much at risk as names of files. */
  async #flushParents(first: string): Promise<void> {
    const top = dirname(first)
    for (let folder = this.directory; folder.length > top.length; folder = dirname(folder)) {
      await this.#disk.flushDirectory(dirname(folder))
    }
  }
}

function reading<Result>(what: string, path: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw unreadable(error, what, path)
  }
}

async function writing<Result>(what: string, path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw unwritten(error, what, path)
  }
}

/** A finding about the journal, with where its bytes are kept. */
function placed(finding: RecoveryFinding, kept: string | undefined): RecoveryFinding {
  const isOfJournal = ['torn_tail', 'damaged_journal', 'foreign_journal', 'lost_events'].includes(finding.what)
  return isOfJournal && kept !== undefined ? { ...finding, kept } : finding
}

function idOf({ state, events }: Recovery): string | undefined {
  const named = events.findLast((event) => event.type === 'session.opened' || event.type === 'session.forked')
  return named && 'id' in named ? String(named.id) : state?.id
}

function nothingYet(id: string): Recovery {
  return {
    state: null,
    hasSnapshot: false,
    events: [],
    live: [],
    chain: firstSeed(id),
    segments: 0,
    lastSealedSeq: 0,
    lastSeq: 0,
    findings: [],
    missing: [],
    leavesDebris: false,
  }
}
