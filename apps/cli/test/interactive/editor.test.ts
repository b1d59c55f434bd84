import { describe, expect, test } from 'vitest'
import { type EditorState, draftWith, edit, newDraft } from '../../src/interactive/editor.ts'
import { type KeyName, KeyReader } from '../../src/interactive/keys.ts'

/** The draft with its cursor as `|`. */
function shown({ text, cursor }: EditorState): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`
}

function draftOf(text: string, history: readonly string[] = []): EditorState {
  const cursor = text.indexOf('|')
  return { ...newDraft(history), text: text.replace('|', ''), cursor }
}

function press(draft: EditorState, ...names: readonly KeyName[]): EditorState {
  return names.reduce((before, name) => {
    const edited = edit(before, { kind: 'key', name })
    if (edited.kind === 'key') throw new Error(`${name} changes nothing`)
    return edited.draft
  }, draft)
}

describe('keys change what is written', () => {
  test.each<[KeyName, string, string]>([
    ['left', 'ab|c', 'a|bc'],
    ['left', '|abc', '|abc'],
    ['left', 'a👩‍👩‍👧|', 'a|👩‍👩‍👧'],
    ['right', 'a|👩‍👩‍👧b', 'a👩‍👩‍👧|b'],
    ['right', 'abc|', 'abc|'],
    ['backspace', 'e\u0301|x', '|x'],
    ['backspace', '|x', '|x'],
    ['delete', 'a|日b', 'a|b'],
    ['home', 'one\ntw|o', 'one\n|two'],
    ['home', '\n|two', '\n|two'],
    ['end', 'o|ne\ntwo', 'one|\ntwo'],
    ['word-left', 'git  log |', 'git  |log '],
    ['word-right', 'gi|t log', 'git| log'],
    ['delete-word', 'git log --all|', 'git log |'],
    ['delete-word', '   |', '|'],
    ['delete-to-start', 'one\ntwo th|ree', 'one\n|ree'],
    ['delete-to-end', 'one t|wo\nthree', 'one t|\nthree'],
    ['delete-to-end', 'one|\nthree', 'one|three'],
    ['delete-to-end', 'one|', 'one|'],
    ['newline', 'a|b', 'a\n|b'],
    ['up', 'first\nsec|ond', 'fir|st\nsecond'],
    ['up', 'a\nsec|ond', 'a|\nsecond'],
    ['up', '\nsec|ond', '|\nsecond'],
    ['down', 'fir|st\nsecond', 'first\nsec|ond'],
    ['down', 'fir|st\na\nb', 'first\na|\nb'],
  ])('%s in %j', (name, before, after) => {
    expect(shown(press(draftOf(before), name))).toBe(after)
  })
})

test('what is typed and pasted goes in at the cursor', () => {
  const typed = edit(draftOf('a|c'), { kind: 'text', text: 'b' })
  expect(typed).toMatchObject({ kind: 'draft', draft: { text: 'abc', cursor: 2 } })
  const pasted = edit(draftOf('|'), { kind: 'paste', text: 'one\ntwo\tthree' })
  expect(pasted).toMatchObject({ draft: { text: 'one\ntwo\tthree', cursor: 13 } })
})

test('nothing that is pasted can steer the terminal or reorder what stands there', () => {
  const { draft } = edit(newDraft(), { kind: 'paste', text: 'a\x1b[2Jb\x07c\u009dd\u202ee\u2028f👩‍👧' }) as {
    draft: EditorState
  }
  expect(draft.text).toBe('a[2Jbcdef👩‍👧')
})

describe('Enter', () => {
  test('sends what is written, and remembers it', () => {
    const edited = edit(draftOf('do |it'), { kind: 'key', name: 'enter' })
    expect(edited).toMatchObject({ kind: 'submit', text: 'do it', draft: { text: '', cursor: 0, history: ['do it'] } })
  })

  test('begins another line behind a backslash', () => {
    expect(shown(press(draftOf('one\\|'), 'enter'))).toBe('one\n|')
  })

  test('sends a backslash that does not end the text', () => {
    expect(edit(draftOf('a\\|b'), { kind: 'key', name: 'enter' })).toMatchObject({ kind: 'submit', text: 'a\\b' })
  })

  test.each([
    ['blank lines', '  |', ['before']],
    ['the same again', 'before|', ['before']],
  ])('does not remember %s', (_name, text, history) => {
    expect(edit(draftOf(text, ['before']), { kind: 'key', name: 'enter' })).toMatchObject({
      kind: 'submit',
      draft: { history },
    })
  })
})

test('up and down walk through what was said before, and back to what is being written', () => {
  const walk: [KeyName, string][] = [
    ['up', 'second|'],
    ['up', 'first|'],
    ['up', 'first|'],
    ['down', 'second|'],
    ['down', 'unfin|'],
    ['down', 'unfin|'],
  ]
  let draft = draftOf('unfin|', ['first', 'second'])
  for (const [name, expected] of walk) {
    draft = press(draft, name)
    expect(shown(draft)).toBe(expected)
  }
})

test('history does not grow without end', () => {
  const long = Array.from({ length: 300 }, (_, index) => `task ${index}`)
  const { history } = newDraft(long)
  expect(history).toHaveLength(200)
  expect(history.at(-1)).toBe('task 299')
})

test.each<KeyName>(['escape', 'interrupt', 'redraw', 'suspend', 'tab'])('%s is left to others', (name) => {
  expect(edit(draftOf('a|'), { kind: 'key', name })).toEqual({ kind: 'key', name })
})

test('Ctrl-D deletes within a text, and ends the input where there is none', () => {
  expect(shown(press(draftOf('a|bc'), 'end-of-input'))).toBe('a|c')
  expect(edit(newDraft(), { kind: 'key', name: 'end-of-input' })).toEqual({ kind: 'key', name: 'end-of-input' })
})

test('words that are proposed can be changed and sent', () => {
  expect(shown(draftWith(draftOf('x|', ['before']), 'say this'))).toBe('say this|')
  expect(draftWith(draftOf('|', ['before']), 'x').history).toEqual(['before'])
})

test('whatever keys come, the cursor stays within the text and between characters', () => {
  const keys = new KeyReader().read(
    '日本\x1b[D\x1b[D\n👩‍👧x\x1b[A\x1b[3~\x17\x15\x0b\x01\x05\x1bb\x1bf\x7f\x7f\x1b[B\x1b[B',
  )
  let draft = newDraft(['old\nlines'])
  for (const key of keys) {
    const edited = edit(draft, key)
    if (edited.kind !== 'draft') continue
    draft = edited.draft
    expect(draft.cursor).toBeGreaterThanOrEqual(0)
    expect(draft.cursor).toBeLessThanOrEqual(draft.text.length)
    expect(draft.text.slice(0, draft.cursor)).not.toMatch(/[\ud800-\udbff]$/)
  }
})
