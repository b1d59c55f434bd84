import { createHash } from 'node:crypto'
import { LoaderError, ownerInWords, type SessionStore, type StoredEvent, withCapability } from '@loader/session-core'
import { blobsNamedIn } from './chosen-session.ts'

/** What was copied, or was there already. */
export interface CopiedSession {
  readonly outcome: 'copied' | 'there'
  readonly events: number
  readonly texts: number
  readonly sha256: string
}

/** A session as it is copied: its events, and the long texts that they name. */
interface Whole {
  readonly events: readonly StoredEvent[]
  readonly texts: ReadonlyMap<string, string>
  readonly sha256: string
}

/**
 * Copies a session from one store into another under the same id, reads the copy back, and has it verified. Either the
 * same session is in both then, or nothing is left of the copy. A session that is held, damaged or taken is refused.
 */
export async function copySession(from: SessionStore, to: SessionStore, id: string): Promise<CopiedSession> {
  await requireFree(from, id)
  await requireIntact(from, id)
  const whole = await readWhole(from, id)
  const { events, texts, sha256 } = whole
  const there = await wholeIfThere(to, id)
  if (there !== undefined) {
    requireSame(id, whole, there)
    return { outcome: 'there', events: events.length, texts: texts.size, sha256 }
  }
  await withCapability(to, 'restore').restore({ id, events, texts })
  try {
    await requireCopied(from, to, id, sha256)
  } catch (error) {
    await to.delete(id, { erase: true })
    throw error
  }
  return { outcome: 'copied', events: events.length, texts: texts.size, sha256 }
}

/** Both would go on by themselves. */
async function requireFree(from: SessionStore, id: string): Promise<void> {
  const holder = (await from.holder?.(id)) ?? null
  if (holder === null) return
  const message = `Session ${id} is held by ${ownerInWords(holder)}, so it was not copied. Close it there first.`
  throw new LoaderError('session_busy', message)
}

async function requireIntact(store: SessionStore, id: string): Promise<void> {
  const { intact, findings } = await withCapability(store, 'verify').verify(id)
  if (intact) return
  const damage = findings.find(({ severity }) => severity === 'damage')?.message ?? 'part of it is missing'
  throw new LoaderError(
    'session_damaged',
    `Session ${id} is damaged, so it was not copied: ${damage} What is damaged: loader verify ${id}. Where it is kept in ` +
      'files, loader doctor --repair makes a copy of what is intact, which can be copied.',
  )
}

/** What an intact session does not have was never there: something else in its events looks like the name of a text. */
async function readWhole(store: SessionStore, id: string): Promise<Whole> {
  const events: StoredEvent[] = []
  const names = new Set<string>()
  for await (const event of store.read(id)) {
    events.push(event)
    for (const name of blobsNamedIn(event)) names.add(name)
  }
  const texts = new Map<string, string>()
  for (const name of names) {
    const text = await textOf(store, id, name)
    if (text !== undefined) texts.set(name, text)
  }
  return { events, texts, sha256: digestOf(events, texts) }
}

async function textOf(store: SessionStore, id: string, name: string): Promise<string | undefined> {
  try {
    return await store.readBlob(id, name)
  } catch (error) {
    if (LoaderError.is(error, 'blob_missing')) return undefined
    throw error
  }
}

/** As JSON, which has every string, also with half of a surrogate pair. */
function digestOf(events: readonly StoredEvent[], texts: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256')
  for (const event of events) hash.update(`${JSON.stringify(event)}\n`)
  for (const [name, text] of [...texts].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    hash.update(`${JSON.stringify([name, text])}\n`)
  }
  return hash.digest('hex')
}

async function wholeIfThere(store: SessionStore, id: string): Promise<Whole | undefined> {
  try {
    return await readWhole(store, id)
  } catch (error) {
    if (LoaderError.is(error, 'session_not_found')) return undefined
    throw error
  }
}

function requireSame(id: string, source: Whole, there: Whole): void {
  if (source.sha256 === there.sha256) return
  const lines = source.events.map((event) => JSON.stringify(event))
  const same = there.events.findIndex((event, index) => JSON.stringify(event) !== lines[index])
  const how =
    same < 0
      ? `an older copy of it, up to event ${there.events.length} of ${lines.length}`
      : `another one, which differs from event ${same + 1} on`
  throw new LoaderError(
    'session_exists',
    `Session ${id} is in the other place already: ${how}. Nothing was changed there. Copy it under another id (loader fork ` +
      `${id}, then copy the fork), or delete the one that is there first.`,
  )
}

async function requireCopied(from: SessionStore, to: SessionStore, id: string, sha256: string): Promise<void> {
  const [before, after] = [await readWhole(from, id), await readWhole(to, id)]
  if (before.sha256 !== sha256) {
    const message = `Session ${id} was changed while it was copied. The copy was removed; close the session, and copy it again.`
    throw new LoaderError('session_busy', message)
  }
  if (after.sha256 !== sha256) {
    const message = `The copy of session ${id} is not the same: SHA-256 ${after.sha256}, not ${sha256}. It was removed.`
    throw new LoaderError('storage_refused', message)
  }
  await requireIntact(to, id)
}
