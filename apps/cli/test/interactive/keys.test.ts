import { describe, expect, test } from 'vitest'
import { type Key, KeyReader } from '../../src/interactive/keys.ts'

const esc = '\x1b'

function named(keys: readonly Key[]): string[] {
  return keys.map((key) =>
    key.kind === 'key' ? `<${key.name}>` : key.kind === 'paste' ? `paste:${key.text}` : key.text,
  )
}

describe('what a terminal sends is read as keys', () => {
  test.each([
    ['letters in one piece', 'hello', ['hello']],
    ['wide letters and pictures', '日本 😀', ['日本 😀']],
    ['Enter', 'ls\r', ['ls', '<enter>']],
    ['Ctrl-J, which is another line', 'a\nb', ['a', '<newline>', 'b']],
    ['Alt-Enter', `${esc}\r`, ['<newline>']],
    ['Shift-Enter where the terminal tells it', `${esc}[13;2u`, ['<newline>']],
    ['arrows of both kinds', `${esc}[A${esc}OB${esc}[C${esc}OD`, ['<up>', '<down>', '<right>', '<left>']],
    ['Home and End of four kinds', `${esc}[H${esc}[4~${esc}OH${esc}[8~`, ['<home>', '<end>', '<home>', '<end>']],
    ['words', `${esc}b${esc}[1;5C${esc}[1;3D`, ['<word-left>', '<word-right>', '<word-left>']],
    [
      'Ctrl-A to Ctrl-W',
      '\x01\x05\x0b\x15\x17',
      ['<home>', '<end>', '<delete-to-end>', '<delete-to-start>', '<delete-word>'],
    ],
    ['Backspace of both kinds and Delete', `\x7f\b${esc}[3~`, ['<backspace>', '<backspace>', '<delete>']],
    ['Ctrl-C, Ctrl-D, Ctrl-L, Ctrl-Z', '\x03\x04\x0c\x1a', ['<interrupt>', '<end-of-input>', '<redraw>', '<suspend>']],
    ['keys that have no meaning here', `${esc}[15~${esc}[1;2P${esc}OP${esc}x\x00\x1f`, []],
    ['mouse and focus reports', `${esc}[<0;10;20M${esc}[I`, []],
    ['control characters beyond ASCII', 'a\u009b31mb', ['a', '31mb']],
    ['a paste with line breaks', `${esc}[200~one\r\ntwo\rthree${esc}[201~`, ['paste:one\ntwo\nthree']],
    ['a paste that holds keys', `${esc}[200~\x03${esc}[A${esc}[201~x`, [`paste:\x03${esc}[A`, 'x']],
    ['Escape pressed twice', `${esc}${esc}[A`, ['<escape>', '<up>']],
  ])('%s', (_name, sent, keys) => {
    expect(named(new KeyReader().read(sent))).toEqual(keys)
  })
})

test('pieces give the same keys as the whole, wherever it is torn', () => {
  const sent = `a${esc}[A${esc}[200~p\r${esc}[201~${esc}\r日\x03${esc}[1;5C.`
  const whole = named(new KeyReader().read(sent))
  for (let place = 1; place < sent.length; place += 1) {
    const reader = new KeyReader()
    expect(named([...reader.read(sent.slice(0, place)), ...reader.read(sent.slice(place))])).toEqual(whole)
  }
})

test('a lone Escape is one as soon as nothing follows it', () => {
  const reader = new KeyReader()
  expect(reader.read(esc)).toEqual([])
  expect(reader.isWaiting).toBe(true)
  expect(named(reader.flush())).toEqual(['<escape>'])
  expect(reader.isWaiting).toBe(false)
})

test('the beginning of a sequence that never ends takes nothing with it', () => {
  const reader = new KeyReader()
  expect(reader.read(`${esc}[`)).toEqual([])
  expect(reader.flush()).toEqual([])
  expect(named(reader.read('A'))).toEqual(['A'])
})

test('a paste is waited for as long as it takes', () => {
  const reader = new KeyReader()
  expect(reader.read(`${esc}[200~half`)).toEqual([])
  expect(reader.isWaiting).toBe(false)
  expect(reader.flush()).toEqual([])
  expect(named(reader.read(` a paste${esc}[201~`))).toEqual(['paste:half a paste'])
})
