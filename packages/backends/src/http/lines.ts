import { chunksOf } from './transport.ts'

/** The lines of a body. Characters that are split over two chunks are decoded correctly. */
export async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of chunksOf(body)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines.filter((line) => line.trim() !== '')
  }
  rest += decoder.decode()
  if (rest.trim() !== '') yield rest
}
