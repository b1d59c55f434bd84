import type { BackendEvent, Signal } from '@loader/session-core'
import { type Failing, failure, reportedFailure } from '../failures/failure.ts'
import { errorInValue } from '../failures/reported-error.ts'
import { linesOf } from '../http/lines.ts'
import { toTheEnd } from '../http/to-the-end.ts'
import { jsonIn } from '../platform/json-text.ts'
import { unlessAborted } from '../platform/signal.ts'
import { OllamaAnswer } from './answer.ts'
import { ChatChunk } from './chat-chunk.ts'

/** The body of a chat as events, up to its end. */
export async function* chatEvents(
  body: ReadableStream<Uint8Array>,
  requestId: string,
  failing: Failing,
  signal: Signal | undefined,
): AsyncGenerator<BackendEvent, void, undefined> {
  const answer = new OllamaAnswer(requestId)
  const lines = linesOf(body)
  try {
    for (;;) {
      const { done, value: line } = await unlessAborted(lines.next(), signal)
      if (done) throw failure(failing, 'interrupted', 'broke off its answer: it closed the stream before the end.')
      const chunk = chunkOf(line, failing)
      yield* answer.take(chunk)
      if (chunk.done) {
        yield answer.end(chunk)
        return await toTheEnd(() => lines.next())
      }
    }
  } finally {
    await lines.return()
  }
}

function chunkOf(line: string, failing: Failing): ChatChunk {
  const chunk = ChatChunk.safeParse(jsonIn(line)).data
  if (chunk === undefined)
    throw failure(failing, 'other', `sent a line that is not part of a chat: ${line.slice(0, 200)}`)
  if (chunk.error !== undefined) throw reportedFailure(failing, errorInValue(chunk.error))
  return chunk
}
