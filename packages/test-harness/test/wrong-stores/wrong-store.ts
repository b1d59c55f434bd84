import {
  type BlobStore,
  type Claim,
  type ClaimOptions,
  eventTypes,
  LoaderError,
  parseEvent,
  type SessionWriter,
  type StoredEvent,
} from '@loader/session-core'
import type { CreateStore } from '../../src/index.ts'
import { MortalStore, mortal } from '../mortal-store.ts'

/** A store that is wrong on purpose, and the clauses that must find it out: exactly these. */
export interface WrongStore {
  readonly does: string
  readonly createStore: CreateStore
  readonly breaks: readonly string[]
}

export function wrong(does: string, create: () => MortalStore, ...breaks: readonly string[]): WrongStore {
  return { does, createStore: mortal(create), breaks }
}

/** The claim with a writer that does some things in another way. */
export function altered(claim: Claim, change: (writer: SessionWriter) => Partial<SessionWriter>): Claim {
  const { writer } = claim
  const same: SessionWriter = {
    id: writer.id,
    epoch: writer.epoch,
    blobs: writer.blobs,
    append: (events, level) => writer.append(events, level),
    save: (state, options) => writer.save(state, options),
    release: () => writer.release(),
  }
  return { ...claim, writer: { ...same, ...change(writer) } }
}

/** A store whose writers do some things in another way. */
export function writing(
  change: (writer: SessionWriter, store: MortalStore) => Partial<SessionWriter>,
): () => MortalStore {
  class Writing extends MortalStore {
    override async claim(id: string, options: ClaimOptions): Promise<Claim> {
      return altered(await super.claim(id, options), (writer) => change(writer, this))
    }
  }
  return () => new Writing()
}

/** A store whose claims go another way. */
export function claiming(
  claim: (
    next: (options: ClaimOptions) => Promise<Claim>,
    options: ClaimOptions,
    store: MortalStore,
    id: string,
  ) => Promise<Claim>,
): () => MortalStore {
  class Claiming extends MortalStore {
    override claim(id: string, options: ClaimOptions): Promise<Claim> {
      return claim((changed) => super.claim(id, changed), options, this, id)
    }
  }
  return () => new Claiming()
}

/** The first claim, or the second when the first is refused with this code. */
export async function orElse(first: Promise<Claim>, code: string, second: () => Promise<Claim>): Promise<Claim> {
  try {
    return await first
  } catch (error) {
    if (LoaderError.is(error) && error.code === code) return second()
    throw error
  }
}

/** A store that keeps something else than the events it was given. */
export function keeping(change: (event: StoredEvent) => StoredEvent): () => MortalStore {
  return writing((writer) => ({ append: (events, level) => writer.append(events.map(change), level) }))
}

/** A store that treats long texts in another way. */
export function texts(change: (blobs: BlobStore, id: string) => Partial<BlobStore>): () => MortalStore {
  return writing(({ blobs, id }) => {
    const same: BlobStore = { put: (text) => blobs.put(text), get: (blob) => blobs.get(blob) }
    return { blobs: { ...same, ...change(blobs, id) } }
  })
}

/** The event with every text or number in it changed; keys stay. */
export function mapLeaves(event: StoredEvent, change: (leaf: string | number) => unknown): StoredEvent {
  const isLeaf = (value: unknown) => typeof value === 'string' || typeof value === 'number'
  const map = (key: string, value: unknown) =>
    isLeaf(value) && !['type', 'seq', 'at', 'name'].includes(key) ? change(value as string | number) : value
  return parseEvent(JSON.parse(JSON.stringify(event, map)))
}

export const isKnown = ({ type }: StoredEvent) => (eventTypes as readonly string[]).includes(type)

export const tick = () => new Promise<void>((resolve) => void setImmediate(resolve))
