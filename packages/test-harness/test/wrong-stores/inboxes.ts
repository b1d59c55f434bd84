import { type Fork, type Inbox, Session } from '@loader/session-core'
import type { InboxMessage } from '@loader/session-core/coding'
import { fixedEnvironment } from '../../src/index.ts'
import { MortalStore } from '../mortal-store.ts'
import { wrong, type WrongStore } from './wrong-store.ts'

/** A store whose inboxes do some things in another way. */
function inboxes(change: (inbox: Inbox, store: MortalStore, id: string) => Partial<Inbox>): () => MortalStore {
  class Changed extends MortalStore {
    override inbox(id: string): Inbox {
      const inbox = super.inbox(id)
      return { ...inbox, ...change(inbox, this, id) }
    }
  }
  return () => new Changed()
}

const order = 'messages come in the order in which they were put, and stay until they are removed'
const once = 'the same message twice is one, also when both are put at once'
const apart = 'a message disturbs no writer, and is no event'
const gone = 'with a session its messages are gone'
const characters = 'ids and texts may have any characters'
const newest = 'a claim that is not the newest removes nothing'
const copied = 'a copy of a session has none of its messages'

const sorted = (messages: readonly InboxMessage[]) => messages.toSorted((one, other) => (one.id < other.id ? -1 : 1))
const whole = (id: string) => id.replaceAll(/\p{Surrogate}/gu, '\ufffd')

export const wrongInboxes: readonly WrongStore[] = [
  wrong(
    'gives messages in the order of their ids',
    inboxes((inbox) => ({ messages: async () => sorted(await inbox.messages()) })),
    order,
  ),
  wrong(
    'keeps the newest of messages with one id',
    inboxes((inbox) => ({
      put: async (message) => {
        await inbox.remove(message.id)
        await inbox.put(message)
      },
    })),
    once,
  ),
  wrong(
    'takes the session to put a message',
    inboxes((inbox, store, id) => ({
      put: async (message) => {
        await inbox.put(message)
        const session = await Session.load(store, id, { environment: fixedEnvironment(), takeover: true })
        await session.close()
      },
    })),
    once,
    apart,
  ),
  wrong(
    'lets a displaced writer remove messages',
    inboxes((inbox) => ({ remove: (messageId) => inbox.remove(messageId) })),
    newest,
  ),
  wrong(
    'takes ids that differ in half a character for one',
    inboxes((inbox) => ({
      put: async (message) => {
        const ids = (await inbox.messages()).map(({ id }) => whole(id))
        if (!ids.includes(whole(message.id))) await inbox.put(message)
      },
    })),
    characters,
  ),
  wrong('copies messages along with a session', () => new CopiesMessages(), copied),
  wrong('keeps messages beyond the end of a session', () => new KeepsMessages(), copied, gone),
]

class KeepsMessages extends MortalStore {
  readonly #kept = new Map<string, InboxMessage>()

  override inbox(id: string): Inbox {
    const inbox = super.inbox(id)
    return {
      ...inbox,
      put: async (message) => {
        await inbox.put(message)
        if (!this.#kept.has(message.id)) this.#kept.set(message.id, message)
      },
      messages: async () => [...this.#kept.values()],
      remove: async (messageId, epoch) => {
        await inbox.remove(messageId, epoch)
        const left = await inbox.messages()
        if (!left.some(({ id: each }) => each === messageId)) this.#kept.delete(messageId)
      },
    }
  }
}

class CopiesMessages extends MortalStore {
  override async fork(...forking: Parameters<MortalStore['fork']>): Promise<Fork> {
    const fork = await super.fork(...forking)
    for (const message of await this.inbox(forking[0]).messages()) await this.inbox(fork.id).put(message)
    return fork
  }
}
