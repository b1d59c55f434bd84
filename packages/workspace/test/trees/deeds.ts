import fc from 'fast-check'
import type { Deed } from './random-work.ts'

/** Any byte that a name can hold, and names that mean something to git or to a shell. */
const anyByte = fc
  .integer({ min: 1, max: 255 })
  .filter((byte) => byte !== 47)
  .map((byte) => String.fromCharCode(byte))
const name = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    'src',
    'A',
    '-rf',
    ':(top)x',
    '*',
    '"q"',
    'a b',
    'x\n',
    '\t',
    'git~1x',
    '.gitattributes',
    'é',
    '\xff\xfe',
    'back\\slash',
    '!not',
    '#c',
    ' ',
    '?',
    'HEAD',
    'index',
  ),
  fc
    .array(anyByte, { minLength: 1, maxLength: 12 })
    .map((bytes) => bytes.join(''))
    .filter((each) => !/^\.{1,2}$|^\.git$|^git~\d+$|^\.loader/i.test(each.trim())),
)
const text = fc.oneof(
  fc.constantFrom('', 'a\n', 'a\r\n', '$Id$', '* text eol=crlf filter=lfs ident\n', '\0\x01'),
  fc.array(anyByte, { maxLength: 40 }).map((bytes) => bytes.join('')),
)
const deed: fc.Arbitrary<Deed> = fc.record({
  what: fc.constantFrom(
    'write',
    'write',
    'write',
    'rewrite',
    'remove',
    'rename',
    'chmod',
    'link',
    'folder',
    'swap',
    'sneak',
  ),
  place: fc.nat(1000),
  name,
  text,
})

/** At most so many of them, one after the other. */
export function deeds(maxLength: number): fc.Arbitrary<Deed[]> {
  return fc.array(deed, { maxLength })
}
