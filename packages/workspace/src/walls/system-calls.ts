export interface SystemCallFilters {
  /** For commands without the network. */
  readonly none: Uint8Array
  readonly shared: Uint8Array
}

/**
 * Filters of system calls, for what the kernel would do for a command past all namespaces and mounts. Processes inherit a
 * filter from what started them, and cannot take it off.
 *
 * 1. Keys of the kernel: no namespace holds those of the user, and asking for one makes the kernel start a program outside
 *    of the walls, with words of the command (`request-key`), which may look them up in the network.
 * 2. Without the network, families of sockets that a network namespace does not hold: `AF_VSOCK` reaches the machine that
 *    this one is a guest of. Those that it holds are listed. A ring of `io_uring` opens sockets past a filter, so there is
 *    none.
 * 3. Files that run with the rights of their owner. Inside they give nothing, but any user of this machine could run one
 *    that is left in the workspace.
 *
 * Undefined where the numbers of the calls are not known. Machines have the names that Node gives them.
 */
export function systemCallFilters(machine: string): SystemCallFilters | undefined {
  const known = machines[machine]
  return known === undefined ? undefined : { none: filterFor(known, 'none'), shared: filterFor(known, 'shared') }
}

function filterFor(known: readonly Machine[], network: Network): Uint8Array {
  const parts = known.flatMap((machine) => partFor(machine, network))
  // Behind them come programs for a machine that this kernel should not know.
  return bytesOf([load(at.machine), ...parts, refuse(noSuchCall)])
}

type Network = keyof SystemCallFilters

/** Numbers of calls. Those that a machine does not have are absent. */
interface Calls {
  readonly keys: readonly number[]
  readonly ring: number
  /** The family is the first argument. */
  readonly socket: number
  /** The old way to all of these calls, with arguments in memory, where no filter sees them. */
  readonly anySocket?: number
  /** Calls that set a mode, and which of their arguments it is. */
  readonly modes: readonly (readonly [call: number, argument: number])[]
}

interface Machine {
  /** As the kernel names it. */
  readonly audit: number
  readonly calls: Calls
  /** A bit that marks calls of yet another machine. */
  readonly foreign?: number
}

const fchmodat2 = [452, 2] as const

const x64: Machine = {
  audit: 0xc000_003e,
  calls: {
    keys: [248, 249, 250],
    ring: 425,
    socket: 41,
    modes: [[90, 1], [91, 1], [268, 2], fchmodat2],
  },
  foreign: 0x4000_0000,
}
const x86: Machine = {
  audit: 0x4000_0003,
  calls: {
    keys: [286, 287, 288],
    ring: 425,
    socket: 359,
    anySocket: 102,
    modes: [[15, 1], [94, 1], [306, 2], fchmodat2],
  },
}
const arm64: Machine = {
  audit: 0xc000_00b7,
  calls: { keys: [217, 218, 219], ring: 425, socket: 198, modes: [[52, 1], [53, 2], fchmodat2] },
}
const arm: Machine = {
  audit: 0x4000_0028,
  calls: {
    keys: [309, 310, 311],
    ring: 425,
    socket: 281,
    modes: [[15, 1], [94, 1], [333, 2], fchmodat2],
  },
}

/** By the name that Node has for it: whose programs such a kernel runs. */
const machines: Readonly<Record<string, readonly Machine[]>> = { x64: [x64, x86], arm64: [arm64, arm] }

/** `AF_UNIX`, `AF_INET`, `AF_INET6`, `AF_NETLINK`: they belong to a network namespace, or are held by mounts. */
const heldFamilies = [1, 2, 10, 16]

const notPermitted = 1
const noSuchCall = 38
const noSuchFamily = 97
const setUserId = 0o4000

/** Of `struct seccomp_data`; both machines have the lower half of an argument first. */
const at = { call: 0, machine: 4, argument: (index: number) => 16 + 8 * index }

interface Instruction {
  readonly code: number
  readonly value: number
  /** How many instructions are passed over where a condition holds, and where it does not. */
  readonly then?: number
  readonly otherwise?: number
}

const load = (offset: number): Instruction => ({ code: 0x20, value: offset })
const refuse = (errno: number): Instruction => ({ code: 0x06, value: 0x0005_0000 | errno })
const allow: Instruction = { code: 0x06, value: 0x7fff_0000 }
/** Does this where it is so, and goes on behind it where it is not. */
const where = (value: number, then: readonly Instruction[]): readonly Instruction[] => [
  { code: 0x15, value, otherwise: then.length },
  ...then,
]
const whereBits = (value: number, then: readonly Instruction[]): readonly Instruction[] => [
  { code: 0x45, value, otherwise: then.length },
  ...then,
]

function partFor({ audit, calls, foreign }: Machine, network: Network): readonly Instruction[] {
  const { keys, ring, socket, anySocket, modes } = calls
  const families = heldFamilies.flatMap((family) => where(family, [allow]))
  const sockets = [
    ...where(ring, [refuse(noSuchCall)]),
    ...(anySocket === undefined ? [] : where(anySocket, [refuse(noSuchCall)])),
    ...where(socket, [load(at.argument(0)), ...families, refuse(noSuchFamily)]),
  ]
  const mode = (argument: number) => [
    load(at.argument(argument)),
    ...whereBits(setUserId, [refuse(notPermitted)]),
    allow,
  ]
  return where(audit, [
    load(at.call),
    ...(foreign === undefined ? [] : whereBits(foreign, [refuse(noSuchCall)])),
    ...keys.flatMap((call) => where(call, [refuse(noSuchCall)])),
    ...(network === 'none' ? sockets : []),
    ...modes.flatMap(([call, argument]) => where(call, mode(argument))),
    allow,
  ])
}

/** As the kernel takes it: eight bytes each, in the order of bytes of both machines. */
function bytesOf(instructions: readonly Instruction[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(instructions.length * 8))
  for (const [index, { code, value, then = 0, otherwise = 0 }] of instructions.entries()) {
    bytes.setUint16(index * 8, code, true)
    bytes.setUint8(index * 8 + 2, then)
    bytes.setUint8(index * 8 + 3, otherwise)
    bytes.setUint32(index * 8 + 4, value >>> 0, true)
  }
  return new Uint8Array(bytes.buffer)
}
