/** The JSON of a request; undefined for one that is none, or is longer than it may be. No more than that is read. */
export async function smallJson(request: Request, mostBytes: number): Promise<unknown> {
  const read = await readSmall(request, mostBytes)
  return read === 'too large' ? undefined : read?.json
}

/** The same, with the reason. A connection that ends before the whole body has arrived gives undefined as well. */
export async function readSmall(
  request: Request,
  mostBytes: number,
): Promise<{ readonly json: unknown } | 'too large' | undefined> {
  if (request.body === null) return undefined
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  try {
    for await (const chunk of request.body as AsyncIterable<Uint8Array>) {
      bytes += chunk.length
      if (bytes > mostBytes) return 'too large'
      text += decoder.decode(chunk, { stream: true })
    }
  } catch {
    return undefined
  }
  try {
    return { json: JSON.parse(text + decoder.decode()) as unknown }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
