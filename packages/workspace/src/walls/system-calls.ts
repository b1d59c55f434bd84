export interface SystemCallFilters {
  /** For commands without the network. */
  readonly none: Uint8Array
  readonly shared: Uint8Array
}

/**
 * Filters of system calls that would bypass namespaces and mounts. Child processes inherit a filter, and cannot remove
 * it.
 *
 * 1. Kernel keys: no namespace isolates those of the user, and requesting one makes the kernel start a program outside
 *    of the walls with text from the command (`request-key`), which may send it over the network.
 * 2. Without the network, socket families that a network namespace does not isolate: `AF_VSOCK` reaches the host of a
 *    virtual machine. The families that it does isolate are listed.
 * 3. Setuid files, by every call that sets a mode or makes a file with one. They have no effect inside, but any user of this
 *    machine could run one that is left in the workspace.
 * 4. `io_uring`, which makes files and sockets past a filter, and `openat2`, whose mode is in memory, where a filter cannot
 *    see it. Programs do without both on kernels that lack them.
 *
 * Undefined where the numbers of the calls are not known. Machines have the names that Node gives them.
 */
export function systemCallFilters(machine: string): SystemCallFilters | undefined {
  const known = machines[machine]
  return known === undefined ? undefined : { none: filterFor(known, 'none'), shared: filterFor(known, 'shared') }
}

function filterFor(known: readonly Machine[], network: Network): Uint8Array {
  const parts = known.flatMap((machine) => partFor(machine, network))
  // The end is reached by programs for an architecture that this kernel should not know.
  return bytesOf([load(at.machine), ...parts, refuse(noSuchCall)])
}

type Network = keyof SystemCallFilters

/** Numbers of calls. Those that a machine does not have are absent. */
interface Calls {
  readonly keys: readonly number[]
  /** The family is the first argument. */
  readonly socket: number
  /** The old multiplexer for all of these calls. Its arguments are in memory, where a filter cannot see them. */
  readonly anySocket?: number
  /** Calls that set a mode, and the index of that argument. */
  readonly modes: readonly (readonly [call: number, argument: number])[]
  /** Calls that open a file, and the indexes of flags and mode. Without a flag to make one, the mode means nothing. */
  readonly opens: readonly (readonly [call: number, flags: number, mode: number])[]
}

interface Machine {
  /** The kernel's name for the architecture. */
  readonly audit: number
  readonly calls: Calls
  /** A bit that marks calls of another architecture's ABI. */
  readonly foreign?: number
}

const fchmodat2 = [452, 2] as const
/** `io_uring_setup` and `openat2`. */
const unseen = [425, 437]

const x64: Machine = {
  audit: 0xc000_003e,
  calls: {
    keys: [248, 249, 250],
    socket: 41,
    modes: [[90, 1], [91, 1], [268, 2], fchmodat2, [85, 1], [133, 1], [259, 2]],
    opens: [
      [2, 1, 2],
      [257, 2, 3],
    ],
  },
  foreign: 0x4000_0000,
}
const x86: Machine = {
  audit: 0x4000_0003,
  calls: {
    keys: [286, 287, 288],
    socket: 359,
    anySocket: 102,
    modes: [[15, 1], [94, 1], [306, 2], fchmodat2, [8, 1], [14, 1], [297, 2]],
    opens: [
      [5, 1, 2],
      [295, 2, 3],
    ],
  },
}
const arm64: Machine = {
  audit: 0xc000_00b7,
  calls: {
    keys: [217, 218, 219],
    socket: 198,
    modes: [[52, 1], [53, 2], fchmodat2, [33, 2]],
    opens: [[56, 2, 3]],
  },
}
const arm: Machine = {
  audit: 0x4000_0028,
  calls: {
    keys: [309, 310, 311],
    socket: 281,
    modes: [[15, 1], [94, 1], [333, 2], fchmodat2, [8, 1], [14, 1], [324, 2]],
    opens: [
      [5, 1, 2],
      [322, 2, 3],
    ],
  },
}

/** By Node's name for the architecture: those whose programs the kernel runs. */
const machines: Readonly<Record<string, readonly Machine[]>> = { x64: [x64, x86], arm64: [arm64, arm] }

/** `AF_UNIX`, `AF_INET`, `AF_INET6`, `AF_NETLINK`: isolated by the network namespace, or by mounts. */
const heldFamilies = [1, 2, 10, 16]

const notPermitted = 1
const noSuchCall = 38
const noSuchFamily = 97
const setUserId = 0o4000
/** `O_CREAT`, and the part of `O_TMPFILE` that is its own. */
const makesFile = 0o20000100

/** Offsets in `struct seccomp_data`; both architectures store the lower half of an argument first. */
const at = { call: 0, machine: 4, argument: (index: number) => 16 + 8 * index }

interface Instruction {
  readonly code: number
  readonly value: number
  /** How many instructions to skip if the condition holds, and if it does not. */
  readonly then?: number
  readonly otherwise?: number
}

const load = (offset: number): Instruction => ({ code: 0x20, value: offset })
const refuse = (errno: number): Instruction => ({ code: 0x06, value: 0x0005_0000 | errno })
const allow: Instruction = { code: 0x06, value: 0x7fff_0000 }
/** Runs `then` if the value matches, and otherwise continues behind it. */
const where = (value: number, then: readonly Instruction[]): readonly Instruction[] => [
  { code: 0x15, value, otherwise: then.length },
  ...then,
]
const whereBits = (value: number, then: readonly Instruction[]): readonly Instruction[] => [
  { code: 0x45, value, otherwise: then.length },
  ...then,
]

function partFor({ audit, calls, foreign }: Machine, network: Network): readonly Instruction[] {
  const { keys, socket, anySocket, modes, opens } = calls
  const families = heldFamilies.flatMap((family) => where(family, [allow]))
  const sockets = [
    ...(anySocket === undefined ? [] : where(anySocket, [refuse(noSuchCall)])),
    ...where(socket, [load(at.argument(0)), ...families, refuse(noSuchFamily)]),
  ]
  const mode = (argument: number) => [
    load(at.argument(argument)),
    ...whereBits(setUserId, [refuse(notPermitted)]),
    allow,
  ]
  const open = (flags: number, argument: number) => [
    load(at.argument(flags)),
    ...whereBits(makesFile, mode(argument)),
    allow,
  ]
  return where(audit, [
    load(at.call),
    ...(foreign === undefined ? [] : whereBits(foreign, [refuse(noSuchCall)])),
    ...[...keys, ...unseen].flatMap((call) => where(call, [refuse(noSuchCall)])),
    ...(network === 'none' ? sockets : []),
    ...modes.flatMap(([call, argument]) => where(call, mode(argument))),
    ...opens.flatMap(([call, flags, argument]) => where(call, open(flags, argument))),
    allow,
  ])
}

/** In the kernel's format: eight bytes each, little-endian on both architectures. */
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
