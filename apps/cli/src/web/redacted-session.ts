import { type EventOf, isSessionEvent, LoaderError, parseEvent, type StoredEvent } from '@loader/session-core'
import type { ServedSession } from '@loader/web/server'
import { blobsOfFiles, withFileData } from '../export/file-data.ts'
import { withoutPacks } from '../export/without-packs.ts'
import { withExcerpts } from '../export/exported.ts'
import type { Redactor } from '../redact/redactor.ts'
import { blobsNamedIn } from '../sessions/chosen-session.ts'

/**
 * A session as it may be passed on, event by event. The words of an answer on its way are left out: a secret can be cut
 * in two by them, and the whole answer follows.
 */
export function redactedSession(id: string, session: ServedSession, redactor: Redactor): ServedSession {
  const { store } = session
  const textsIn = async (value: unknown) => {
    const names = [...blobsNamedIn(value)]
    return new Map(await Promise.all(names.map(async (name) => [name, await textOf(name)] as const)))
  }
  const textOf = async (name: string) => {
    try {
      return await store.readBlob(id, name)
    } catch (error) {
      if (!LoaderError.is(error, 'blob_missing')) throw error
      return ''
    }
  }
  const redacted = async (whole: StoredEvent): Promise<StoredEvent> => {
    const event = withoutPacks(whole)
    if (isSessionEvent(event) && event.type === 'answer.progressed') return withoutWords(event)
    const texts = await textsIn(event)
    const files = blobsOfFiles(event, texts)
    const changed = [...texts].flatMap(([name, text]) => {
      const clean = files.has(name) ? text : redactor.text(text)
      return clean === text ? [] : [[name, clean] as const]
    })
    return parseEvent(withExcerpts(withFileData(redactor.value(event), event), new Map(changed)))
  }
  return {
    async row() {
      const { lastExcerpt: _cut, metadata: _metadata, ...row } = await session.row()
      // An excerpt may end in the middle of a secret.
      return { ...row, title: redactor.text(row.title), lastExcerpt: '', metadata: {} }
    },
    async diff(wanted) {
      const answer = await session.diff(wanted)
      return { ...answer, patch: redactor.text(answer.patch) }
    },
    // A link to one session must not show more than its events do, and a question does.
    async standing() {
      const { phase, turnId } = await session.standing()
      return { phase, turnId, holder: null, question: null, queue: [], undelivered: [], trouble: null }
    },
    exported: (format) => session.exported(format),
    redacted: () => Promise.resolve(redactedSession(id, session, redactor)),
    store: {
      async *read(of, options) {
        for await (const event of store.read(of, options)) yield await redacted(event)
      },
      async *watch(of, fromSeq, options) {
        for await (const item of store.watch?.(of, fromSeq, options) ?? []) {
          yield item.kind === 'event' ? { kind: 'event', event: await redacted(item.event) } : item
        }
      },
      async readBlob(of, name) {
        const text = await store.readBlob(of, name)
        return (await isFile(name)) ? text : redactor.text(text)
      },
    },
  }

  /** Whether an event says that this text is an image or another file. */
  async function isFile(name: string): Promise<boolean> {
    for await (const event of store.read(id, { gaps: 'mark' })) {
      if (blobsNamedIn(event).has(name) && blobsOfFiles(event, await textsIn(event)).has(name)) return true
    }
    return false
  }
}

function withoutWords(event: EventOf<'answer.progressed'>): StoredEvent {
  return { ...event, ...('text' in event && { text: '' }), ...('reasoning' in event && { reasoning: '' }) }
}
