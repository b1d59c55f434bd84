import { parseEvent, SessionEvent } from '@loader/session-core'
import { isKnown, keeping, mapLeaves, wrong, type WrongStore, writing } from './wrong-store.ts'

const ofTexts = (change: (text: string) => unknown) =>
  keeping((event) => mapLeaves(event, (leaf) => (typeof leaf === 'string' ? change(leaf) : leaf)))

/** What copying an object key by key does to a key called __proto__. */
function copy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copy)
  const target: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) target[key] = copy(item)
  return target
}

export const wrongContent: readonly WrongStore[] = [
  wrong(
    'drops keys that it does not know',
    keeping((event) => (isKnown(event) ? SessionEvent.parse(event) : event)),
    'keys that this version does not know survive',
    'keys keep their order',
  ),
  wrong(
    'drops types of events that it does not know',
    writing((writer) => ({ append: (events, level) => writer.append(events.filter(isKnown), level) })),
    'types of events that this version does not know survive',
  ),
  wrong(
    'copies objects key by key',
    keeping((event) => parseEvent(JSON.parse(JSON.stringify(copy(event))))),
    'a key called __proto__ survives',
  ),
  wrong(
    'has columns of its own for type, seq and time',
    keeping(({ type, seq, at, ...rest }) => parseEvent({ type, seq, at, ...rest })),
    'keys keep their order',
  ),
  wrong(
    'rounds numbers',
    keeping((event) => mapLeaves(event, (leaf) => (typeof leaf === 'number' ? Number(leaf.toPrecision(12)) : leaf))),
    'numbers survive',
  ),
  wrong(
    'writes UTF-8 without escapes',
    ofTexts((text) => Buffer.from(text).toString()),
    'halves of surrogate pairs survive',
  ),
  wrong(
    'cannot hold NUL',
    ofTexts((text) => text.replaceAll('\u0000', '')),
    'NUL and other control characters survive',
  ),
  wrong(
    'opens its files as text',
    ofTexts((text) => text.replaceAll('\r\n', '\n')),
    'line ends survive',
  ),
  wrong(
    'normalises texts',
    ofTexts((text) => text.normalize('NFC')),
    'every script survives, unnormalised',
  ),
  wrong(
    'takes empty texts for null',
    ofTexts((text) => (text === '' ? null : text)),
    'empty texts, lists and objects survive',
  ),
]
