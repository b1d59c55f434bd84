import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Signal } from '@loader/session-core'
import { NotReached, wordsOf } from './connect.ts'

/** What a server answered. */
export interface Answer {
  readonly status: number
  readonly type: string
  readonly charset: string | undefined
  /** Where it leads, for a redirection. */
  readonly location: string | undefined
  readonly bytes: Uint8Array
  /** There was more than was read. */
  readonly isCut: boolean
}

/** The only headers that are sent: nothing of the user, nothing of an earlier answer. */
const headers = {
  accept: 'text/markdown, text/html;q=0.9, text/plain;q=0.8, application/json;q=0.8, */*;q=0.1',
  'accept-encoding': 'gzip, deflate, br',
  'accept-language': 'en',
  'user-agent': 'loader (a coding agent)',
  connection: 'close',
} as const

/** Asks for a page over a connection, and reads at most so many bytes of what it is when unpacked. */
export async function get(
  url: URL,
  socket: Socket,
  { most, signal }: { readonly most: number; readonly signal: Signal },
): Promise<Answer> {
  const stop = () => socket.destroy(new NotReached('it took too long'))
  signal.addEventListener('abort', stop)
  try {
    if (signal.aborted) stop()
    const message = await answered(url, socket)
    const { statusCode: status = 0, headers: given } = message
    const [type = '', ...parameters] = (given['content-type'] ?? '').split(';').map((part) => part.trim())
    const charset = parameters
      .find((part) => /^charset=/i.test(part))
      ?.slice('charset='.length)
      .replaceAll('"', '')
    const isElsewhere = status >= 300 && status < 400
    const body = isElsewhere ? { bytes: new Uint8Array(), isCut: false } : await read(message, most)
    return { status, type: type.toLowerCase(), charset, location: given.location, ...body }
  } catch (error) {
    if (error instanceof NotReached) throw error
    throw new NotReached(`${url.host} did not answer as it should: ${wordsOf(error)}`)
  } finally {
    signal.removeEventListener('abort', stop)
    socket.destroy()
  }
}

function answered(url: URL, socket: Socket): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = request({
      method: 'GET',
      path: `${url.pathname}${url.search}`,
      headers: { host: url.host, ...headers },
      createConnection: () => socket,
      setDefaultHeaders: false,
    })
    asked.once('response', resolve)
    asked.on('error', reject)
    asked.end()
  })
}

async function read(message: IncomingMessage, most: number): Promise<Pick<Answer, 'bytes' | 'isCut'>> {
  const body = unpacked(message)
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    const part = chunk.subarray(0, most - length)
    chunks.push(part)
    length += part.length
    // Leaving the loop ends the stream: nothing more is read or unpacked.
    if (part.length < chunk.length) return { bytes: Buffer.concat(chunks), isCut: true }
  }
  return { bytes: Buffer.concat(chunks), isCut: false }
}

const mostPackings = 2

function unpacked(message: IncomingMessage): Readable {
  const packings = (message.headers['content-encoding'] ?? '')
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== '' && each !== 'identity')
  if (packings.length > mostPackings) throw new NotReached('the answer is packed too many times')
  return packings.toReversed().reduce((stream: Readable, packing) => {
    const unpack = unpacker(packing)
    stream.on('error', (error) => unpack.destroy(error))
    stream.on('close', () => {
      if (!stream.readableEnded) unpack.destroy(new Error('the answer was cut off'))
    })
    return stream.pipe(unpack)
  }, message)
}

function unpacker(packing: string) {
  switch (packing) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    default:
      throw new NotReached(`the answer is packed with ${JSON.stringify(packing.slice(0, 40))}, which was not asked for`)
  }
}
