import { createSocket, type Socket } from 'node:dgram'

const typeA = 1
const typeAAAA = 28

/** A server of names that answers each question with the next of its lists: what it says changes, as that of an attacker. */
export async function nameServer(
  names: Readonly<Record<string, readonly (readonly string[])[]>>,
): Promise<{ readonly address: string; readonly asked: readonly string[]; close(): void }> {
  const socket: Socket = createSocket('udp4')
  const asked: string[] = []
  const turns = new Map<string, number>()
  socket.on('message', (message, { port, address }) => {
    const { name, type, end } = questionIn(message)
    asked.push(`${name} ${type === typeA ? 'A' : 'AAAA'}`)
    const lists = names[name] ?? []
    const turn = turns.get(`${name} ${type}`) ?? 0
    turns.set(`${name} ${type}`, turn + 1)
    const addresses = lists[Math.min(turn, lists.length - 1)] ?? []
    const fitting = addresses.filter((each) => each.includes(':') === (type === typeAAAA))
    const head = Buffer.from(message.subarray(0, end))
    head.writeUInt16BE(0x8180, 2)
    head.writeUInt16BE(fitting.length, 6)
    head.writeUInt16BE(0, 8)
    head.writeUInt16BE(0, 10)
    socket.send(Buffer.concat([head, ...fitting.map((each) => answer(type, each))]), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const { port } = socket.address()
  return { address: `127.0.0.1:${port}`, asked, close: () => void socket.close() }
}

function questionIn(message: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = []
  let place = 12
  for (let length = message[place] ?? 0; length > 0; length = message[place] ?? 0) {
    labels.push(message.toString('latin1', place + 1, place + 1 + length))
    place += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(place + 1), end: place + 5 }
}

/** The name is that of the question; it holds for no time at all. */
function answer(type: number, address: string): Buffer {
  const bytes = type === typeA ? Buffer.from(address.split('.').map(Number)) : sixteen(address)
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(bytes.length, 10)
  return Buffer.concat([head, bytes])
}

function sixteen(address: string): Buffer {
  const [head = '', tail = ''] = address.split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':').map((each) => Number.parseInt(each, 16)))
  const [front, back] = [groups(head), address.includes('::') ? groups(tail) : []]
  const all = [...front, ...Array.from({ length: 8 - front.length - back.length }, () => 0), ...back]
  return Buffer.from(all.flatMap((each) => [each >> 8, each & 255]))
}
