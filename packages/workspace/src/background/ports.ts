import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { codeOf } from '../paths/system-errors.ts'
import { isThere, pidOf } from '../processes/process-mark.ts'

/** A port that a process listens on, and an address by which it answers on its own loopback. */
export interface Listening {
  readonly port: number
  readonly host: '127.0.0.1' | '::1'
}

/** The ports of a command: those of its first process and of everything below it, in their network namespace. */
export function portsOf(leader: string): readonly Listening[] {
  if (process.platform !== 'linux' || !isThere(leader)) return []
  const pid = pidOf(leader)
  const sockets = new Set(below(pid).flatMap(socketsOf))
  if (sockets.size === 0) return []
  const found = [...listenersIn(pid, 'tcp'), ...listenersIn(pid, 'tcp6')].filter(({ inode }) => sockets.has(inode))
  const ports = new Map<number, Listening>()
  for (const { port, host } of found) if (!ports.has(port)) ports.set(port, { port, host })
  return [...ports.values()].toSorted((a, b) => a.port - b.port)
}

/** Whether the ports of a process are those of the machine. The kernel tells: its network namespace is ours. */
export function placeOfPorts(leader: string): 'session' | 'machine' {
  const spaceOf = (pid: number | 'self') => unlessGone(() => readlinkSync(`/proc/${pid}/ns/net`))
  const ours = spaceOf('self')
  return process.platform !== 'linux' || (ours !== undefined && spaceOf(pidOf(leader)) === ours) ? 'machine' : 'session'
}

function below(pid: number): readonly number[] {
  const children = new Map<number, number[]>()
  for (const each of numbersIn('/proc')) {
    const parent = parentOf(each)
    if (parent === undefined) continue
    const known = children.get(parent)
    if (known === undefined) children.set(parent, [each])
    else known.push(each)
  }
  const all = [pid]
  for (let index = 0; index < all.length; index += 1) all.push(...(children.get(all[index] ?? 0) ?? []))
  return all
}

/** The name in front of it may contain anything, parentheses included. */
function parentOf(pid: number): number | undefined {
  const text = textOf(`/proc/${pid}/stat`)
  return text === undefined ? undefined : Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1])
}

function socketsOf(pid: number): readonly string[] {
  return numbersIn(`/proc/${pid}/fd`).flatMap((descriptor) => {
    const target = unlessGone(() => readlinkSync(`/proc/${pid}/fd/${descriptor}`))
    const [, inode] = /^socket:\[(\d+)\]$/.exec(target ?? '') ?? []
    return inode ?? []
  })
}

const listens = '0A'

function listenersIn(pid: number, table: 'tcp' | 'tcp6'): readonly (Listening & { readonly inode: string })[] {
  const lines = (textOf(`/proc/${pid}/net/${table}`) ?? '').split('\n').slice(1)
  return lines.flatMap((line) => {
    const words = line.trim().split(/\s+/)
    const [address = '', port = ''] = (words[1] ?? '').split(':')
    const inode = words[9]
    const host = hostOf(address)
    if (words[3] !== listens || inode === undefined || host === undefined) return []
    return [{ port: Number.parseInt(port, 16), host, inode }]
  })
}

/** In the order of bytes that the processor has. Other addresses than these cannot be those of a loopback. */
function hostOf(address: string): Listening['host'] | undefined {
  if (address === '00000000' || address.endsWith('7F')) return '127.0.0.1'
  // An unspecified address of IPv6 usually answers for both; a server for IPv6 alone is rare, and answers there.
  if (/^0{32}$/.test(address)) return '127.0.0.1'
  if (address === '00000000000000000000000001000000') return '::1'
  return /^0{16}FFFF0000.{6}7F$/.test(address) ? '127.0.0.1' : undefined
}

function numbersIn(folder: string): readonly number[] {
  const names = unlessGone(() => readdirSync(folder)) ?? []
  return names.flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []))
}

function textOf(path: string): string | undefined {
  return unlessGone(() => readFileSync(path, 'utf8'))
}

/** Processes end at any time, and those of other users cannot be read. */
function unlessGone<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return undefined
  }
}
