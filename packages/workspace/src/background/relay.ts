import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programOnPath } from '../processes/program-on-path.ts'
import { childVariables } from '../processes/child-variables.ts'
import { forgetLiving, rememberLiving } from '../processes/living.ts'
import { closeSpaces, enteringWords, openSpaces } from '../walls/entered-spaces.ts'

/**
 * What the helper in the loopback of a session runs. For each connection it is told an address, connects there, and passes
 * bytes. It ends with its standard input, so with us. A socket with a path is not bound to a network namespace.
 */
const script = `
const { connect, createServer } = require('node:net')
const end = () => {
  require('node:fs').rmSync(require('node:path').dirname(process.argv[1]), { recursive: true, force: true })
  process.exit()
}
process.stdin.resume().on('end', end).on('error', end)
createServer({ allowHalfOpen: true }, (from) => {
  from.on('error', () => from.destroy())
  let told = ''
  const read = () => {
    for (let byte; (byte = from.read(1)) !== null; ) {
      if (byte[0] !== 10) { told += String.fromCharCode(byte[0]); if (told.length > 60) from.destroy(); continue }
      from.off('readable', read)
      const [host, port] = told.split(' ')
      const to = connect({ host, port: Number(port), allowHalfOpen: true })
      to.once('connect', () => { from.write('+'); from.pipe(to); to.pipe(from) })
      to.on('error', () => from.destroy()).on('close', () => from.destroy())
      from.on('close', () => to.destroy())
      return
    }
  }
  from.on('readable', read)
}).listen(process.argv[1], () => process.stdout.write('ready'))
`

/** Connects this process to ports in the loopback of a session. */
export class Relay {
  readonly #child: ChildProcess
  readonly #folder: string
  /** The namespace that it is in is that of this process. */
  readonly loopback: string

  private constructor(child: ChildProcess, folder: string, loopback: string) {
    this.#child = child
    this.#folder = folder
    this.loopback = loopback
    rememberLiving(this)
    child.once('exit', () => forgetLiving(this))
  }

  /** Undefined when the loopback is gone, or nothing can enter it. */
  static async start(loopback: string, root: string): Promise<Relay | undefined> {
    const nsenter = programOnPath('nsenter', childVariables({}), root)
    const spaces = nsenter === undefined ? undefined : openSpaces(loopback)
    if (nsenter === undefined || spaces === undefined) return undefined
    const folder = mkdtempSync(join(tmpdir(), 'loader-relay-'))
    const [program = nsenter, ...args] = enteringWords(nsenter, { user: 3, net: 4 })
    try {
      const child = spawn(program, [...args, process.execPath, '-e', script, join(folder, 's')], {
        cwd: '/',
        env: {},
        detached: true,
        stdio: ['pipe', 'pipe', 'ignore', spaces.user, spaces.net],
      })
      const isReady = await new Promise<boolean>((resolve) => {
        child.once('error', () => resolve(false))
        child.once('exit', () => resolve(false))
        child.stdout?.once('data', () => resolve(true))
      })
      child.stdin?.on('error', () => undefined)
      child.unref()
      for (const pipe of [child.stdin, child.stdout]) (pipe as unknown as { unref?: () => void } | null)?.unref?.()
      if (isReady) return new Relay(child, folder, loopback)
      rmSync(folder, { recursive: true, force: true })
      return undefined
    } finally {
      closeSpaces(spaces)
    }
  }

  get isUsable(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** A connection; undefined when nothing answers there. */
  connect(host: '127.0.0.1' | '::1', port: number): Promise<Socket | undefined> {
    return new Promise((resolve) => {
      const socket = connect({ path: join(this.#folder, 's'), allowHalfOpen: true })
      const fail = () => {
        socket.destroy()
        resolve(undefined)
      }
      socket.once('error', fail).once('close', fail)
      socket.once('connect', () => socket.write(`${host} ${port}\n`))
      const answered = () => {
        // One byte says that there is a connection; all others are of the other side.
        if (socket.read(1) === null) return
        socket.off('readable', answered).off('error', fail).off('close', fail)
        resolve(socket)
      }
      socket.on('readable', answered)
    })
  }

  end(): void {
    this.endAtOnce()
  }

  endAtOnce(): void {
    forgetLiving(this)
    this.#child.stdin?.destroy()
    this.#child.kill('SIGKILL')
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
