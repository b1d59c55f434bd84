import { describe, expect, test } from 'vitest'
import { setInJson, unsetInJson } from '../../src/settings/json-edit.ts'

const text = `{
    "model" : "a/b",

    "limits": { "maxIterations": 20, "temperature": 0.5 },
    "checks": [
        "npm test", { "x": "}" }
    ]
}
`

describe('a value is set, and everything else stays as it was written', () => {
  test.for([
    ['one that is there', ['model'], 'c/d', text.replace('"a/b"', '"c/d"')],
    ['one in an object', ['limits', 'maxIterations'], 30, text.replace('20', '30')],
    ['a new one in an object on one line', ['limits', 'x'], 1, text.replace('0.5 }', '0.5, "x": 1 }')],
    ['a new one at the end', ['store'], 'files', text.replace(']\n}', '],\n    "store": "files"\n}')],
    [
      'an object in one that is not there',
      ['walls', 'use'],
      'off',
      text.replace(']\n}', '],\n    "walls": {\n        "use": "off"\n    }\n}'),
    ],
    ['one in place of a list', ['checks'], null, text.replace(/\[[^]*\]/, 'null')],
    ['an object in place of a text', ['model', 'x'], 1, text.replace('"a/b"', '{\n        "x": 1\n    }')],
  ] as const)('%s', ([, path, value, after]) => {
    expect(setInJson(text, path, value)).toBe(after)
    expect(JSON.parse(after)).toBeTypeOf('object')
  })

  test.for([
    ['{}', '{\n  "a": 1\n}'],
    ['{}\n', '{\n  "a": 1\n}\n'],
    ['{"b":{}}', '{"b":{}, "a": 1}'],
    ['{\r\n\t"b": 1\r\n}', '{\r\n\t"b": 1,\r\n\t"a": 1\r\n}'],
    ['\ufeff{ "b": 1 }', '\ufeff{ "b": 1, "a": 1 }'],
    ['{"\\u0061": 2}', '{"\\u0061": 1}'],
  ] as const)('in %j', ([before, after]) => {
    expect(setInJson(before, ['a'], 1).replaceAll('\n\n', '\n')).toBe(after)
  })
})

describe('a value is taken out', () => {
  test.for([
    ['the first', ['model'], text.replace('"model" : "a/b",\n\n    ', '')],
    ['the last', ['checks'], text.replace(/,\n {4}"checks"[^]*\]/, '')],
    ['one in an object', ['limits', 'maxIterations'], text.replace('"maxIterations": 20, ', '')],
    ['what is not there', ['nothing'], text],
  ] as const)('%s', ([, path, after]) => {
    expect(unsetInJson(text, path)).toBe(after)
    expect(JSON.parse(after)).toBeTypeOf('object')
  })

  test('with the object that is empty then', () => {
    expect(unsetInJson('{ "a": 1, "limits": { "x": 1 } }', ['limits', 'x'])).toBe('{ "a": 1 }')
    expect(unsetInJson('{ "a": 1 }', ['a'])).toBe('{}')
  })
})
