import type { JsonValue } from '@loader/session-core'

/** One key of an object in a text, and where it and its value are. */
interface Member {
  readonly key: string
  readonly start: number
  readonly valueStart: number
  readonly end: number
}

interface Span {
  /** Of the braces. */
  readonly open: number
  readonly close: number
  readonly members: readonly Member[]
}

/**
 * Sets a value in a text that is known to be a JSON object, and changes nothing else: order, indentation and line ends
 * stay as they were written.
 */
export function setInJson(text: string, path: readonly [string, ...string[]], value: JsonValue): string {
  return setIn(text, objectAt(text, text.indexOf('{')), path, value)
}

/** Takes a value out of it, and an object that is empty then. */
export function unsetInJson(text: string, path: readonly [string, ...string[]]): string {
  return unsetIn(text, objectAt(text, text.indexOf('{')), path)
}

function setIn(text: string, object: Span, [key, ...rest]: readonly [string, ...string[]], value: JsonValue): string {
  const member = object.members.find((one) => one.key === key)
  const [next, ...others] = rest
  if (next === undefined)
    return member === undefined ? inserted(text, object, key, value) : replaced(text, member, value)
  if (member === undefined || text[member.valueStart] !== '{') {
    const nested = rest.reduceRight<JsonValue>((inner, name) => ({ [name]: inner }), value)
    return member === undefined ? inserted(text, object, key, nested) : replaced(text, member, nested)
  }
  return setIn(text, objectAt(text, member.valueStart), [next, ...others], value)
}

function unsetIn(text: string, object: Span, [key, ...rest]: readonly [string, ...string[]]): string {
  const index = object.members.findIndex((one) => one.key === key)
  const member = object.members[index]
  if (member === undefined) return text
  const [next, ...others] = rest
  if (next !== undefined && text[member.valueStart] === '{') {
    const inner = objectAt(text, member.valueStart)
    const isAlone = inner.members.length === 1 && inner.members[0]?.key === next && others.length === 0
    if (!isAlone) return unsetIn(text, inner, [next, ...others])
  }
  return without(text, object, index)
}

function replaced(text: string, { start, valueStart, end }: Member, value: JsonValue): string {
  return text.slice(0, valueStart) + written(value, indentAt(text, start), unitOf(text)) + text.slice(end)
}

function inserted(text: string, { open, close, members }: Span, key: string, value: JsonValue): string {
  const [first] = members
  const last = members.at(-1)
  const outer = indentAt(text, open)
  const indent = first === undefined ? outer + unitOf(text) : indentAt(text, first.start)
  const line = `${JSON.stringify(key)}: ${written(value, indent, unitOf(text))}`
  if (first === undefined || last === undefined) {
    return `${text.slice(0, open + 1)}${lineEnd(text)}${indent}${line}${lineEnd(text)}${outer}${text.slice(close)}`
  }
  const between = text.slice(open + 1, first.start)
  return `${text.slice(0, last.end)},${between === '' ? ' ' : between}${line}${text.slice(last.end)}`
}

function without(text: string, { open, close, members }: Span, index: number): string {
  const [before, member, after] = [members[index - 1], members[index], members[index + 1]]
  if (member === undefined) return text
  if (before !== undefined) return text.slice(0, before.end) + text.slice(member.end)
  if (after !== undefined) return text.slice(0, member.start) + text.slice(after.start)
  return `${text.slice(0, open + 1)}${text.slice(close)}`
}

function written(value: JsonValue, indent: string, unit: string): string {
  return JSON.stringify(value, null, unit).split('\n').join(`\n${indent}`)
}

/** The white space at the beginning of the line. */
function indentAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
  return /^[ \t]*/.exec(line)?.[0] ?? ''
}

function unitOf(text: string): string {
  return /\n([ \t]+)"/.exec(text)?.[1] ?? '  '
}

function lineEnd(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}

function objectAt(text: string, open: number): Span {
  const members: Member[] = []
  let at = skipSpace(text, open + 1)
  while (text[at] !== '}') {
    const keyEnd = endOfValue(text, at)
    const valueStart = skipSpace(text, skipSpace(text, keyEnd) + 1)
    const end = endOfValue(text, valueStart)
    members.push({ key: String(JSON.parse(text.slice(at, keyEnd))), start: at, valueStart, end })
    at = skipSpace(text, end)
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
  return { open, close: at, members }
}

function skipSpace(text: string, at: number): number {
  let next = at
  while (/\s/.test(text[next] ?? '')) next += 1
  return next
}

/** The text is valid, so a value ends where its brackets are closed, or where the next sign of the structure stands. */
function endOfValue(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const sign = text[at] ?? ''
    if (sign === '"') {
      at += (/^"(?:[^"\\]|\\.)*"/.exec(text.slice(at))?.[0].length ?? 1) - 1
      if (depth === 0) return at + 1
    } else if (sign === '{' || sign === '[') depth += 1
    else if (sign === '}' || sign === ']') {
      if (depth <= 1) return depth === 0 ? at : at + 1
      depth -= 1
    } else if (depth === 0 && /[,\s]/.test(sign)) return at
  }
  return text.length
}
