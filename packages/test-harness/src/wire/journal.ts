import type { Dialect } from '../history-faults/rules.ts'
import { describeLine } from '../script/describe.ts'
import { isUsedUp, type Position } from './position.ts'
import type { PreparedScript } from './prepared-script.ts'
import type { Headers, Violation } from './protocol.ts'
import type { WireRequest } from './wire-request.ts'
import type { WireScriptLine } from './wire-script.ts'

/** One request to the server, and its outcome. */
export interface Exchange {
  /** The number among the requests for models of a script, from 1; absent for other requests. */
  readonly number?: number
  /** The script that the request was for, if it was found. */
  readonly script: string | undefined
  /** Absent when the request was not for a model. */
  readonly protocol?: Dialect
  readonly method: string
  readonly path: string
  /** Without headers that contain keys. */
  readonly headers: Headers
  /** The parsed body; a text when it was not JSON. */
  readonly body: unknown
  /** The body in the form shared by all protocols, if it was valid. */
  readonly request?: WireRequest
  /** The number of the line that answered. */
  readonly line?: number
  readonly violations: readonly Violation[]
  /** A request too many, or a line that failed. */
  readonly problem?: string
  /** The intended status, whether or not it was sent. */
  readonly status: number
  /** The part of the body that was sent. */
  readonly sent: string
  readonly end: ExchangeEnd
}

/** open: being answered · sent: completely · cut: ended by the script · left: by the client · dropped: by a boundary */
export type ExchangeEnd = 'open' | 'sent' | 'cut' | 'left' | 'dropped'

/** The progress of a script. */
export interface WireJournal {
  readonly script: string
  readonly exchanges: readonly Exchange[]
  /** Descriptions of the lines that were never used. */
  readonly left: readonly string[]
  /** Descriptions of everything that makes `assertDone` throw. */
  readonly problems: readonly string[]
}

/** The journal of a script at this position. */
export function journalOf(script: PreparedScript, position: Position, exchanges: readonly Exchange[]): WireJournal {
  const left = script.lines.flatMap((line, index) =>
    isUsedUp(script, position, index) ? [] : [`line ${index + 1}: ${described(line)}`],
  )
  const unused =
    left.length === 0 ? [] : [`${left.length} of ${script.lines.length} lines were never asked for: ${left.join('; ')}`]
  return { script: script.name, exchanges, left, problems: [...exchanges.flatMap(problemsOf), ...unused] }
}

/** Describes what is wrong with an exchange. */
export function problemsOf({ number, path, violations, problem }: Exchange): readonly string[] {
  const name = number === undefined ? `The request to ${path}` : `Request ${number}`
  const broken = violations.map(
    ({ rule, index, message }) =>
      `${name} broke the rule ${rule}${index === undefined ? '' : ` at message ${index}`}: ${message}`,
  )
  return problem === undefined ? broken : [...broken, problem]
}

const shownHeaders: readonly string[] = ['user-agent', 'content-type', 'anthropic-version', 'anthropic-beta']

/** The headers that are useful to show and contain no keys. */
export function shownOf(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => shownHeaders.includes(name)))
}

function described(line: WireScriptLine): string {
  if (typeof line !== 'function') return describeLine(line)
  return line.name === '' ? 'a function' : `the function ${line.name}`
}
