import type { Backend, BackendEvent, JsonValue } from '@loader/session-core'

export interface HeldBackend extends Backend {
  /** Resolves once a request is there that waits for what the model says next. */
  asked(): Promise<void>
  /** These words arrive; resolves once they were taken. */
  say(text: string): Promise<void>
  /** The answer ends with a call. */
  call(name: string, input: JsonValue): Promise<void>
  /** The answer ends with these words, or with those that were said. */
  end(text?: string): Promise<void>
}

interface Spoken {
  readonly event: BackendEvent
  readonly taken: () => void
}

/** A model that says what the test lets it say, when it lets it. */
export function heldBackend(): HeldBackend {
  const queue: Spoken[] = []
  let isWaiting = false
  let wake = () => {}
  let requests: (() => void)[] = []
  let said = ''

  const next = async (): Promise<Spoken> => {
    for (;;) {
      const spoken = queue.shift()
      if (spoken !== undefined) return spoken
      isWaiting = true
      for (const tell of requests.splice(0)) tell()
      await new Promise<void>((resolve) => (wake = resolve))
      isWaiting = false
    }
  }
  const speak = (event: BackendEvent): Promise<void> => {
    const taken = new Promise<void>((resolve) => queue.push({ event, taken: resolve }))
    wake()
    return taken
  }
  const done = (content: Extract<BackendEvent, { type: 'done' }>['content']) => {
    said = ''
    return speak({ type: 'done', content, finishReason: 'stop' })
  }
  return {
    id: 'held/model',
    async *stream() {
      for (;;) {
        const { event, taken } = await next()
        yield event
        taken()
        if (event.type === 'done') return
      }
    },
    async asked() {
      if (!isWaiting) await new Promise<void>((resolve) => (requests = [...requests, resolve]))
    },
    say(text) {
      said += text
      return speak({ type: 'text', delta: text })
    },
    call: (name, input) =>
      done([...(said === '' ? [] : [textPart(said)]), { type: 'call', call: { id: 'held', name, input } }]),
    end: (text = said) => done([textPart(text)]),
  }
}

function textPart(text: string) {
  return { type: 'text', text } as const
}
