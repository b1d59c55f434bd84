import assert from 'node:assert/strict'
import { clauses, type StoreClause } from './clause.ts'
import { eventFrom, opened, recorded, timeAt } from './sample-events.ts'
import { begin, linesOf, stateOf } from './steps.ts'

const holding = (data: Parameters<typeof recorded>[1]) => survives(JSON.stringify(recorded(2, data)))
const place = `"seq":2,"at":"${timeAt(2)}"`

export const content = clauses('content', {
  'keys that this version does not know survive': survives(
    `{"type":"session.titled",${place},"title":"x","by":"user","future":{"key":[1,{"deeper":null}]}}`,
  ),
  'types of events that this version does not know survive': survives(
    `{"type":"future.happened",${place},"critical":false,"extra":{"list":[1,2]}}`,
  ),
  'a key called __proto__ survives': survives(
    `{"type":"custom.recorded",${place},"name":"n","data":{"__proto__":{"__proto__":1},"constructor":2}}`,
  ),
  'keys keep their order': survives(
    `{${place},"type":"custom.recorded","data":{"zebra":1,"apple":2,"mango":{"b":1,"a":2}},"name":"n"}`,
  ),
  'numbers survive': holding([0, -1.5, 0.1 + 0.2, 1e21, 5e-324, 1.7976931348623157e308, 9007199254740991, 1e-7]),
  'halves of surrogate pairs survive': holding(['\uD800', 'a\uDFFFb', '\uDE00\uD83D', { 'key \uD800': 1 }]),
  'NUL and other control characters survive': holding(['\u0000', 'a\u0000b', '\u0001\u001B[31m\u007F', '\uFEFF']),
  'line ends survive': holding(['\r\n', '\n', '\r', '\u2028\u2029', 'a\r\nb\n', '\t', '\\n']),
  'every script survives, unnormalised': holding(['שלום \u202E!', 'e\u0301 \u00E9', '👩‍👩‍👧‍👦🏳️‍🌈', '﷽', 'Å Å', 'ﬁ']),
  'empty texts, lists and objects survive': holding(['', [], {}, null, [[]], { '': '' }]),
})

/** The event is read back as exactly the same line, from the same store and in a new process. */
function survives(line: string): StoreClause['run'] {
  return async (tested) => {
    const event = eventFrom(line)
    const writer = await begin(tested.store)
    await writer.append([event], 'flush')
    await writer.save(stateOf([opened('one'), event]))
    await writer.release()
    assert.equal((await linesOf(tested.store))[1], line)
    assert.equal((await linesOf(await tested.reopen()))[1], line)
  }
}
