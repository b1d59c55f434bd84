import { afterEach, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { requireBackendEvent, requireResult, type Tool } from '../src/coding.ts'
import { fromModelMessages, parseEvent, parseExport, parseState } from '../src/index.ts'

// The words are those of this package. What the program has given to zod is neither used nor touched: here other words, in
// most programs none.
const { localeError } = z.config()
const ofTheProgram = () => 'nicht richtig'
beforeEach(() => void z.config({ localeError: ofTheProgram }))
afterEach(() => void z.config({ localeError }))

const place = { seq: 2, at: '2026-01-31T09:30:00.000Z' }
const tool = { name: 'read' } as Tool
const done = { type: 'done', finishReason: 'stop' }
const imports = { newId: (prefix: string) => `${prefix}_1`, at: place.at }

const exported = {
  format: 'loader-export',
  version: 1,
  exportedAt: '',
  loader: '0.1.0',
  session: { id: 'ses_1', title: '', lastSeq: 0 },
  blobs: {},
  events: [],
}

const faults: readonly (readonly [why: string, run: () => unknown])[] = [
  [
    'session.titled (seq 2) is not a valid event: its field title is wrong ' +
      '(Too small: expected string to have >=1 characters). docs/session-format.md lists every event and field.',
    () => parseEvent({ type: 'session.titled', ...place, title: '', by: 'user' }),
  ],
  [
    'its field title is wrong (Invalid input: expected string, received undefined)',
    () => parseEvent({ type: 'session.titled', ...place, by: 'user' }),
  ],
  [
    'its field epoch is wrong (Too small: expected number to be >=1)',
    () => parseEvent({ type: 'session.claimed', ...place, epoch: 0, owner: { type: 'Agent', path: 'a' } }),
  ],
  [
    'its field epoch is wrong (Invalid input: expected int, received number)',
    () => parseEvent({ type: 'session.claimed', ...place, epoch: 1.5, owner: { type: 'Agent', path: 'a' } }),
  ],
  [
    'its field at is wrong (Invalid ISO datetime)',
    () => parseEvent({ type: 'wait.finished', ...place, at: 'now', outcome: 'elapsed' }),
  ],
  [
    'its field outcome is wrong (Invalid option: expected one of "elapsed"|"cancelled")',
    () => parseEvent({ type: 'wait.finished', ...place, outcome: 'late' }),
  ],
  [
    'its field id is wrong (is a device name on Windows)',
    () => parseEvent({ type: 'session.opened', ...place, format: 1, id: 'con' }),
  ],
  [
    'its field data is wrong (must be a JSON value)',
    () => parseEvent({ type: 'custom.recorded', ...place, name: 'a', data: Number.NaN }),
  ],
  [
    'its field content.0.type is wrong ' +
      "(Invalid discriminator value. Expected 'text' | 'reasoning' | 'file' | 'call')",
    () => parseEvent({ type: 'model.answered', ...place, requestId: 'r', content: [{}], finishReason: 'stop' }),
  ],
  ['field (root) is wrong (Invalid input: expected object, received null)', () => parseState(null)],
  [
    'a.json is not an export of a session: secrets: Invalid option: expected one of "replaced"|"kept"',
    () => parseExport({ text: JSON.stringify({ ...exported, secrets: 'lost' }), path: 'a.json' }),
  ],
  [
    'whose outcome is wrong (Invalid option: expected one of "ok"|"failed"|"interrupted")',
    () => requireResult(tool, { outcome: 'fine', text: '' }),
  ],
  [
    'whose content is wrong (Invalid input: expected array, received undefined)',
    () => requireBackendEvent('test', done),
  ],
  [
    'its field tool_call_id is wrong (Invalid input: expected string, received undefined)',
    () => fromModelMessages([{ role: 'tool', content: '' }], 'openai', imports),
  ],
  [
    'its field providerOptions is wrong (must be a JSON object for each provider)',
    () => fromModelMessages([{ role: 'system', content: '', providerOptions: { a: 1 } }], 'ai-sdk', imports),
  ],
]

test.each(faults)('%s', (why, run) => {
  expect(run).toThrow(why)
  expect(z.config().localeError).toBe(ofTheProgram)
})
