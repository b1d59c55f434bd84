/** One server-sent event. JSON has no line breaks, so its data is always one line. */
export function frame(data: object, { name, id }: { readonly name?: string; readonly id?: number } = {}): string {
  return `${id === undefined ? '' : `id: ${id}\n`}${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`
}

/** Says that nothing has happened. */
export function aliveFrame(): string {
  return frame({ now: new Date().toISOString() }, { name: 'alive' })
}

/**
 * The items, and undefined whenever none has come for so long. Ends with the items; when its consumer stops, the source
 * is told.
 */
export async function* orTick<Item>(
  items: AsyncIterator<Item>,
  everyMs: () => number,
): AsyncGenerator<Item | undefined> {
  let next: Promise<IteratorResult<Item>> | undefined
  try {
    for (;;) {
      next ??= items.next()
      const result = await within(next, everyMs())
      if (result === undefined) {
        yield undefined
        continue
      }
      next = undefined
      if (result.done === true) return
      yield result.value
    }
  } finally {
    // `return` stops an item that is still pending; no caller is left to receive its result or its error.
    next?.catch(() => undefined)
    await items.return?.()
  }
}

async function within<Result>(promise: Promise<Result>, ms: number): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), ms)))
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
