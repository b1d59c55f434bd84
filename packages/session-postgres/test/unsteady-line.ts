import { once } from 'node:events'
import { createServer, connect, type Socket } from 'node:net'

/** What becomes of a connection, and when: after so many bytes towards the server, or back from it. */
export interface Cut {
  readonly direction: 'out' | 'back'
  readonly afterBytes: number
  /** `silence`: nothing comes through any more, and nobody is told. `reset`: both ends are told. */
  readonly how: 'silence' | 'reset'
}

/** A line to a server that can be cut at any byte, in either direction. */
export interface UnsteadyLine {
  readonly port: number
  /** The next bytes that pass, on any connection, are counted towards this cut. */
  cut(cut: Cut): void
  /** Whether the last cut has happened. */
  readonly isCut: boolean
  dispose(): Promise<void>
}

/** So long after the line fell silent, the server notices. In truth it takes ten seconds. */
const noticedMs = 1_000

export async function unsteadyLine(serverPort: number): Promise<UnsteadyLine> {
  let next: Cut | undefined
  let passed = 0
  let isCut = false
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: false }, (near) => {
    const far = connect(serverPort, '127.0.0.1')
    let isSilent = false
    const forward = (direction: Cut['direction'], from: Socket, to: Socket) => {
      sockets.add(from)
      from.setNoDelay(true)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        // A line that is silent tells the other end nothing: what reached the server goes on there.
        if (!isSilent) to.destroy()
      })
      from.on('data', (bytes: Buffer) => {
        if (isSilent) return
        const due = next !== undefined && next.direction === direction ? next : undefined
        if (due === undefined) return void to.write(bytes)
        passed += bytes.length
        if (passed < due.afterBytes) return void to.write(bytes)
        const kept = bytes.subarray(0, Math.max(0, bytes.length - (passed - due.afterBytes)))
        next = undefined
        isCut = true
        to.write(kept)
        if (due.how === 'silence') {
          isSilent = true
          // The server looks whether anybody is still there: see `noticeEnds`.
          setTimeout(() => far.destroy(), noticedMs).unref()
        } else {
          near.destroy()
          // What was sent before arrives before the end does.
          far.end()
        }
      })
    }
    forward('out', near, far)
    forward('back', far, near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('This machine gives no port.')
  return {
    port: address.port,
    cut(cut) {
      next = cut
      passed = 0
      isCut = false
    },
    get isCut() {
      return isCut
    },
    async dispose() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
