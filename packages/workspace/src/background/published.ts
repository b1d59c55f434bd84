import { connect, createServer, type Server, type Socket } from 'node:net'
import { codeOf, meaningOf } from '../paths/system-errors.ts'

/** A port of a background command on the loopback of this machine. Each connection is passed on. */
export class PublishedPort {
  readonly port: number
  readonly hostPort: number
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(server: Server, port: number, hostPort: number, sockets: Set<Socket>) {
    this.#server = server
    this.port = port
    this.hostPort = hostPort
    this.#sockets = sockets
  }

  /** A string says why the port of the machine cannot be had. */
  static open(port: number, wanted: number, reach: () => Promise<Socket | undefined>): Promise<PublishedPort | string> {
    const sockets = new Set<Socket>()
    const hold = (socket: Socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      socket.on('error', () => socket.destroy())
    }
    const server = createServer({ allowHalfOpen: true }, (from) => {
      hold(from)
      void reach().then((to) => {
        if (to === undefined || from.destroyed) {
          from.destroy()
          to?.destroy()
          return
        }
        hold(to)
        from.once('close', () => to.destroy())
        to.once('close', () => from.destroy())
        from.pipe(to)
        to.pipe(from)
      })
    })
    return new Promise((resolve) => {
      server.once('error', (error) => {
        const isTaken = codeOf(error) === 'EADDRINUSE'
        resolve(isTaken ? `port ${wanted} of this machine is taken` : meaningOf(error))
      })
      // Of this machine alone: no other one reaches an address of the loopback.
      server.listen({ host: '127.0.0.1', port: wanted }, () => {
        const address = server.address()
        const at = typeof address === 'object' && address !== null ? address.port : wanted
        server.unref()
        resolve(new PublishedPort(server, port, at, sockets))
      })
    })
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }
}

/** A connection to a port of this machine; undefined when nothing answers there. */
export function connectHere(host: string, port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, allowHalfOpen: true })
    socket.once('error', () => resolve(undefined))
    socket.once('connect', () => resolve(socket))
  })
}
