import { setImmediate, setTimeout } from 'node:timers'
import { type Call, type CallKind, callLater, callNow, type Calls, intercepted, type Results } from './calls.ts'
import { type Fault, FaultPlan } from './fault-plan.ts'
import type { CallResult, FileSystemPort, SystemError } from './file-system-port.ts'
import { Gate, type HeldCalls } from './gate.ts'
import { LimitedSpace } from './limited-space.ts'
import { SimulatedFileSystem } from './simulated-file-system.ts'
import { isSystemError, systemError } from './system-error.ts'

/** The faults of a file system, and the size of its disk. */
export interface FaultyOptions {
  readonly faults?: readonly Fault[]
  /** How many bytes can be written before the disk is full. Removed files free their space. */
  readonly space?: number
}

/** The record of one call. */
export interface LoggedCall {
  readonly kind: CallKind
  readonly form: 'sync' | 'callback'
  /** The paths it was made on. */
  readonly paths: readonly string[]
  /** `under way`, `ok`, or the code of the error. */
  readonly outcome: string
  /** The faults that affected it. */
  readonly faults: readonly Fault[]
}

export interface FaultyFileSystem extends FileSystemPort {
  /** Every call so far, in the order in which they were made. */
  readonly calls: readonly LoggedCall[]
  /** How many bytes can still be written. */
  readonly freeSpace: number
  addSpace(bytes: number): void
  /** Adds a fault; counting for it starts here. */
  add(fault: Fault): void
  /** From now on calls of this kind with a callback wait before they take effect, until they are released. */
  hold(kind: CallKind): HeldCalls
}

/** A file system with planned faults. All other calls go to the one below. */
export function faulty(port: FileSystemPort, options: FaultyOptions = {}): FaultyFileSystem {
  const faults = new Faults(port, options)
  return {
    ...intercepted(faults),
    get calls() {
      return faults.calls
    },
    get freeSpace() {
      return faults.space?.free ?? Infinity
    },
    addSpace: (bytes) => faults.space?.add(bytes),
    add: (fault) => faults.plan.add(fault),
    hold: (kind) => faults.hold(kind),
  }
}

/** The combined faults of one call. */
interface Strike {
  readonly logged: Logged
  readonly milliseconds: number
  readonly mostBytes: number
  readonly error: Extract<Fault, { fault: 'error' }> | undefined
}

type Logged = { -readonly [Key in keyof LoggedCall]: LoggedCall[Key] }

class Faults {
  readonly #port: FileSystemPort
  readonly plan: FaultPlan
  readonly space: LimitedSpace | undefined
  readonly calls: Logged[] = []
  readonly #paths = new Map<number, string>()
  readonly #gates = new Map<CallKind, Gate>()

  constructor(port: FileSystemPort, { faults = [], space }: FaultyOptions) {
    this.#port = port
    this.plan = new FaultPlan(faults)
    this.space = space === undefined ? undefined : new LimitedSpace(port, space)
  }

  hold(kind: CallKind): HeldCalls {
    const gate = this.#gates.get(kind) ?? new Gate((work) => work())
    this.#gates.set(kind, gate)
    return gate.hold()
  }

  now<Kind extends CallKind>(call: Calls[Kind]): Results[Kind] {
    const strike = this.#strike(call, 'sync')
    try {
      block(strike.milliseconds)
      if (strike.error && !worksBefore(strike.error, call)) throw this.#failure(strike.error, call)
      const result = callNow<Kind>(this.#port, this.#fitted<Kind>(call, strike))
      this.#settle(call, result)
      if (strike.error) throw this.#failure(strike.error, call)
      strike.logged.outcome = 'ok'
      return result
    } catch (error) {
      strike.logged.outcome = outcomeOf(error)
      throw error
    }
  }

  later<Kind extends CallKind>(call: Calls[Kind], callback: CallResult<Results[Kind]>): void {
    const strike = this.#strike(call, 'callback')
    const answer: CallResult<Results[Kind]> = (error, result) => {
      strike.logged.outcome = error ? outcomeOf(error) : 'ok'
      callback(error, result)
    }
    const start = () => this.#start<Kind>(call, strike, answer)
    const pass = () => {
      const gate = this.#gates.get(call.kind)
      if (gate) gate.pass(start)
      else start()
    }
    if (strike.milliseconds > 0) setTimeout(pass, strike.milliseconds)
    else pass()
  }

  #start<Kind extends CallKind>(call: Calls[Kind], strike: Strike, answer: CallResult<Results[Kind]>): void {
    const { error } = strike
    // As in Node, a failed call passes no value.
    const refuse = (failure: SystemError) => answer(failure, undefined as Results[Kind])
    const admitted = attempt(() => {
      if (error && !worksBefore(error, call)) throw this.#failure(error, call)
      return this.#fitted<Kind>(call, strike)
    })
    if (admitted instanceof Error) {
      setImmediate(() => refuse(admitted))
      return
    }
    // Reserved at once, so that writes made meanwhile find the space taken.
    if (admitted.kind === 'write') this.space?.settle(admitted, admitted.length)
    callLater<Kind>(this.#port, admitted, (failure, result) => {
      if (failure) return refuse(failure)
      if (call.kind !== 'write') this.#settle(call, result)
      if (error) return refuse(this.#failure(error, call))
      answer(null, result)
    })
  }

  #strike(call: Call, form: LoggedCall['form']): Strike {
    const paths = this.#pathsOf(call)
    const faults = this.plan.strike(call.kind, paths)
    const logged = { kind: call.kind, form, paths, faults, outcome: 'under way' }
    this.calls.push(logged)
    return {
      logged,
      milliseconds: sum(faults.map((fault) => (fault.fault === 'delay' ? fault.milliseconds : 0))),
      mostBytes: Math.min(...faults.map((fault) => (fault.fault === 'short write' ? fault.bytes : Infinity))),
      error: faults.find((fault) => fault.fault === 'error'),
    }
  }

  /** The call, shortened to the free space, or ENOSPC. */
  #fitted<Kind extends CallKind>(call: Calls[Kind], { mostBytes }: Strike): Calls[Kind] {
    const fitting = this.space?.admit(call) ?? Infinity
    if (call.kind !== 'write') return call
    return { ...call, length: Math.min(call.length, fitting, mostBytes) }
  }

  #settle(call: Call, result: unknown): void {
    if (call.kind === 'open') this.#paths.set(result as number, call.path)
    if (call.kind === 'close') this.#paths.delete(call.fd)
    this.space?.settle(call, result)
  }

  #failure({ code }: Extract<Fault, { fault: 'error' }>, call: Call): SystemError {
    if (isFlush(call) && this.#port instanceof SimulatedFileSystem) this.#port.loseUnflushed(call.fd)
    return systemError(code, { syscall: syscallOf(call.kind), ...('path' in call && call) })
  }

  #pathsOf(call: Call): readonly string[] {
    if ('dest' in call) return [call.path, call.dest]
    const path = 'path' in call ? call.path : this.#paths.get(call.fd)
    return path === undefined ? [] : [path]
  }
}

function worksBefore({ work }: Extract<Fault, { fault: 'error' }>, call: Call): boolean {
  return work === 'done' && !isFlush(call)
}

function isFlush(call: Call): call is Calls['fsync' | 'fdatasync'] {
  return call.kind === 'fsync' || call.kind === 'fdatasync'
}

function syscallOf(kind: CallKind): string {
  if (kind === 'readFile') return 'open'
  return kind === 'readdir' ? 'scandir' : kind
}

function attempt<Value>(run: () => Value): Value | SystemError {
  try {
    return run()
  } catch (error) {
    if (isSystemError(error)) return error
    throw error
  }
}

function outcomeOf(error: unknown): string {
  return (isSystemError(error) && error.code) || 'error'
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function block(milliseconds: number): void {
  if (milliseconds > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
