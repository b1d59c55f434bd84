import type { ServerResponse } from 'node:http'
import type { WireReply } from './reply.ts'

export interface Sending {
  readonly wait: (milliseconds: number) => Promise<void>
  readonly onSent: (bytes: Uint8Array) => void
}

/** How a reply ended: complete, broken off, left by the client, or with the server sending no more. */
export type Sent = 'sent' | 'cut' | 'left' | 'hung'

/** Carries out the steps of a reply. */
export async function sendReply(
  { status, headers, steps }: WireReply,
  response: ServerResponse,
  { wait, onSent }: Sending,
): Promise<Sent> {
  const closed = new Promise<void>((resolve) => response.once('close', resolve))
  for (const step of steps) {
    if (response.destroyed) return 'left'
    switch (step.type) {
      case 'send':
        if (!response.headersSent) response.writeHead(status, headers)
        await write(response, step.bytes)
        onSent(step.bytes)
        break
      case 'wait':
        await Promise.race([wait(step.milliseconds), closed])
        break
      case 'hang':
        await closed
        return 'hung'
      case 'cut':
        response.destroy()
        return 'cut'
      default:
        step satisfies never
    }
  }
  if (response.destroyed) return 'left'
  if (!response.headersSent) response.writeHead(status, headers)
  response.end()
  await closed
  return response.writableFinished ? 'sent' : 'left'
}

/** Sends each piece separately, because pieces written together may arrive together. */
async function write(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  if (bytes.length === 0) {
    response.flushHeaders()
    return
  }
  // Waiting for the write shows a disconnected client before the next step.
  await new Promise<void>((resolve) => response.write(bytes, () => resolve()))
}
