import { lookup } from 'node:dns/promises'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Signal } from '@loader/session-core'
import { isPublic } from './public-address.ts'
import type { Resolve } from './resolve.ts'

export const systemResolve: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address)

/** Why there is no connection, for the model. */
export class NotReached extends Error {}

/**
 * A connection to a host of the public internet. A name is asked for once, and the address that was checked is the one that is
 * connected to: nothing asks for the name again in between.
 */
export async function connectPublic(
  url: URL,
  { resolve, signal }: { readonly resolve: Resolve; readonly signal: Signal },
): Promise<Socket> {
  const host = hostOf(url)
  const addresses = await addressesOf(host, resolve)
  const open = addresses.filter(isPublic)
  if (open.length === 0) throw new NotReached(whyRefused(host, addresses))
  const port = portOf(url)
  let failure: unknown
  for (const address of open.slice(0, mostAddresses)) {
    try {
      return await secured(await connected(address, port, signal), url, signal)
    } catch (error) {
      if (signal.aborted) throw error
      failure = error
    }
  }
  throw new NotReached(`${host} could not be reached: ${wordsOf(failure)}`)
}

const mostAddresses = 4

/** A name without the brackets that an address of IPv6 has in a URL. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}

async function addressesOf(host: string, resolve: Resolve): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host]
  try {
    return await resolve(host)
  } catch (error) {
    throw new NotReached(`There is no address for ${host} (${wordsOf(error)}).`)
  }
}

function whyRefused(host: string, addresses: readonly string[]): string {
  const shown = addresses.filter((address) => address !== host).join(', ')
  return (
    `${host} is not on the public internet${shown === '' ? '' : ` (${shown})`}, so it is not asked. Addresses of this machine ` +
    'and of private networks are refused, but for ports of background commands of this session at 127.0.0.1.'
  )
}

function connected(address: string, port: number, signal: Signal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address, port, allowHalfOpen: false })
    const stop = () => socket.destroy(new NotReached('it took too long'))
    signal.addEventListener('abort', stop)
    const settled = () => signal.removeEventListener('abort', stop)
    socket.once('error', (error) => {
      settled()
      reject(error)
    })
    socket.once('connect', () => {
      settled()
      // What is at the other end is what counts, whatever has led there.
      if (socket.remoteAddress !== undefined && isPublic(socket.remoteAddress)) return resolve(socket)
      socket.destroy()
      reject(
        new NotReached(`${address} led to ${socket.remoteAddress ?? 'nowhere'}, which is not on the public internet`),
      )
    })
  })
}

/** The certificate must be that of the name in the URL. */
function secured(socket: Socket, url: URL, signal: Signal): Promise<Socket> {
  if (url.protocol !== 'https:') return Promise.resolve(socket)
  return new Promise((resolve, reject) => {
    const host = hostOf(url)
    const secure = connectTls({
      socket,
      host,
      ALPNProtocols: ['http/1.1'],
      ...(isIP(host) === 0 && { servername: host }),
    })
    const stop = () => secure.destroy(new NotReached('it took too long'))
    signal.addEventListener('abort', stop)
    secure.once('secureConnect', () => {
      signal.removeEventListener('abort', stop)
      resolve(secure)
    })
    secure.once('error', (error) => {
      signal.removeEventListener('abort', stop)
      socket.destroy()
      reject(error)
    })
  })
}

export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
