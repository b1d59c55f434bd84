import { expect, test } from 'vitest'
import { type DocumentPart, readDocument } from '../src/source/document-parts.ts'
import { type SourceFile, sourceOfText } from '../src/source/source-file.ts'

const documents = [
  '{}',
  ' {"a":1}\n',
  '\ufeff{"a": "x,y:z}]", "b" : [ ] , "c":[1, [2,3], {"d":[4]}, "]"],"e":{"f":[1,2]}}',
  '{\n  "list": [\n    {"text": "a \\"quoted\\" \\\\"},\n    null\n  ],\n  "ü–✓": "ü–✓"\n}\n',
  '{"a":[],"b":[[]],"c":[{}],"d":null}',
]

test('a document is read in parts that make it up, wherever its bytes are cut', () => {
  for (const text of documents) {
    for (const chunk of [1, 2, 3, 7, 1000]) {
      expect(readParts(inChunks(text, chunk)), `${chunk}: ${text}`).toEqual(JSON.parse(text.replace('\ufeff', '')))
    }
  }
})

test('what is no JSON object, or more than one, is no document', () => {
  const lines = [
    '',
    ' ',
    '[]',
    '"a"',
    '{"a":1}{"b":2}',
    '{"a":1}\n{"b":2}\n',
    '{"a":1} x',
    '{"a" 1}',
    '{a:1}',
    '{"a":1,}',
  ]
  const lists = ['{"a":[1,]}', '{"a":[,1]}', '{"a":[1] 2}', '{"a":[1}', '{"a":[1]', '{,"a":1}', '{"a":}', '{:1}']
  expect([...lines, ...lists].filter((text) => readParts(inChunks(text, 3)) !== undefined)).toEqual([])
})

test('a document that was cut, or of which a byte is another, is read as the parser reads it, or not at all', () => {
  for (const text of documents) {
    for (let at = 0; at < text.length; at += 1) {
      for (const damaged of [text.slice(0, at), `${text.slice(0, at)},${text.slice(at + 1)}`]) {
        const parts = readParts(inChunks(damaged, 5))
        expect([undefined, parsedOr(damaged.replace('\ufeff', ''))]).toContainEqual(parts)
      }
    }
  }
})

function inChunks(text: string, size: number): SourceFile {
  const bytes = Buffer.from(text)
  const starts = Array.from({ length: Math.ceil(bytes.length / size) }, (_none, index) => index * size)
  return { ...sourceOfText('document.json', text), chunks: () => starts.map((at) => bytes.subarray(at, at + size)) }
}

function readParts(file: SourceFile): unknown {
  const fields: Record<string, unknown> = {}
  const isWhole = readDocument(file, ({ name, what, bytes }: DocumentPart) => {
    const value = what === 'list' ? [] : parsedOr(Buffer.from(bytes).toString('utf8'))
    const list = fields[name]
    if (what === 'item' && Array.isArray(list)) list.push(value)
    else fields[name] = value
    return value !== undefined
  })
  return isWhole ? fields : undefined
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
