import { type ErrorCode, LoaderError, type Message, parseEvent } from '@loader/session-core'
import { expect } from 'vitest'
import { isObject } from '../history-faults/check.ts'
import {
  type HistoryFault,
  historyFaults,
  type HistoryOptions,
  messageFaults,
} from '../history-faults/history-faults.ts'
import type { Dialect } from '../history-faults/rules.ts'
import { eventLine } from '../recording/event-log.ts'

/** The methods of `expect` that the matchers of this package add. */
export interface LoaderMatchers<Result> {
  /** The history, or the event log, consists of exactly these events, each as a line of `eventLine`. */
  toHaveEvents(lines: readonly string[]): Result
  /** The history, or the event log, ends with these events. */
  toEndWithEvents(lines: readonly string[]): Result
  /** It is a LoaderError with this code, and its message contains this text. */
  toBeLoaderError(code: ErrorCode, message?: string | RegExp): Result
  /** A provider would accept these messages: those of a request to it, or those of a session. */
  toHaveNoHistoryFaults(dialect: Dialect, options?: HistoryOptions): Result
}

declare module 'vitest' {
  // The type parameters must equal those of vitest.
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> extends LoaderMatchers<R> {}
}

/** Adds the matchers to vitest's `expect`; call it in a setup file, or at the top of a test. */
export function useLoaderMatchers(): void {
  expect.extend(loaderMatchers)
}

/** The matchers, for `expect.extend`. */
export const loaderMatchers = {
  toHaveEvents(received: unknown, lines: readonly string[]): MatcherResult {
    const actual = linesOf(received)
    return compared(actual, lines, 'the events')
  },

  toEndWithEvents(received: unknown, lines: readonly string[]): MatcherResult {
    const actual = linesOf(received)
    return compared(lines.length === 0 ? [] : actual.slice(-lines.length), lines, 'the last events')
  },

  toBeLoaderError(received: unknown, code: ErrorCode, message: string | RegExp = ''): MatcherResult {
    const pass = LoaderError.is(received, code) && says(received.message, message)
    const found = LoaderError.is(received) ? `${received.code}: ${received.message}` : String(received)
    const wanted = message === '' ? code : `${code} that says ${String(message)}`
    return { pass, message: () => `expected the error ${pass ? 'not ' : ''}to be ${wanted}, but it is ${found}` }
  },

  toHaveNoHistoryFaults(received: unknown, dialect: Dialect, options?: HistoryOptions): MatcherResult {
    const faults = faultsOf(received, dialect, options)
    const list = faults.map(({ rule, index, message }) => `\n  message ${index}: ${message} (${rule})`).join('')
    return {
      pass: faults.length === 0,
      message: () =>
        faults.length === 0 ? `${dialect} takes this history` : `${dialect} refuses this history:${list}`,
      actual: faults,
      expected: [],
    }
  },
}

interface MatcherResult {
  readonly pass: boolean
  readonly actual?: unknown
  readonly expected?: unknown
  message(): string
}

function compared(actual: readonly string[], expected: readonly string[], what: string): MatcherResult {
  const pass = actual.length === expected.length && actual.every((line, index) => line === expected[index])
  return { pass, message: () => `expected ${what} ${pass ? 'not ' : ''}to be as given`, actual, expected }
}

function linesOf(received: unknown): readonly string[] {
  const found = isObject(received) && 'lines' in received ? received['lines'] : received
  if (!Array.isArray(found)) throw new TypeError('Expected a history (a list of events) or an event log.')
  return found.map((item: unknown) => (typeof item === 'string' ? item : eventLine(parseEvent(item))))
}

function faultsOf(received: unknown, dialect: Dialect, options: HistoryOptions | undefined): HistoryFault[] {
  if (!isIterable(received)) throw new TypeError('Expected a list of messages.')
  const messages = [...received]
  return isWindow(messages)
    ? messageFaults(messages, dialect, options)
    : historyFaults(messages as object[], dialect, options)
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}

/** Only messages of a session have a source; those of a request have none. */
function isWindow(messages: readonly unknown[]): messages is readonly Message[] {
  return messages.length > 0 && messages.every((message) => isObject(message) && 'origin' in message && 'at' in message)
}

function says(text: string, wanted: string | RegExp): boolean {
  return typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text)
}
