/** What the tool of all conversations gives; one of its files is not there. */
export function read(path: unknown): string {
  if (path === 'gone.txt') throw new Error('There is no gone.txt.')
  return `what is in ${String(path)}`
}

/** The result of a call, and whether it failed. */
export function outcomeOf(path: unknown): { readonly text: string; readonly isError: boolean } {
  try {
    return { text: read(path), isError: false }
  } catch (error) {
    return { text: String(error), isError: true }
  }
}

export const readSchema = {
  type: 'object' as const,
  properties: { path: { type: 'string' as const } },
  required: ['path'],
}

/** One pixel. */
export const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export interface Said {
  readonly text: string
  readonly image: boolean
  readonly mode: 'stream' | 'whole'
}

/** A client in the middle of a conversation: what the user says goes in, the answer behind all calls comes out. */
type Talker = (said: Said) => Promise<string>

export interface Talking {
  readonly name: string
  readonly begin: (url: string) => Talker
}

/** Asks again after a limit or an overload, as a client without retries of its own is told to. */
export async function patiently<Answer>(ask: () => Promise<Answer>, isPassing: (error: unknown) => boolean) {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!isPassing(error)) throw error
    }
  }
}
