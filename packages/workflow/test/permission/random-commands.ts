import fc from 'fast-check'

/** Separated by spaces; ␠ stands for one. */
const pieces = String.raw`
  ' " ${'`'} $ ( ) { } [ ] < > | & ; ␠ \ = * ? ~ ! # - / $( ${'${'} $(( )) <<A @( $' $" <( >( &> [[␠ ␠]] case␠x␠in␠ esac if␠ then␠ fi
  for␠x␠in␠ do␠ done function␠ time␠ coproc␠ select␠ ls rm find␠.␠ sed␠ git␠ xargs␠ bash␠-c␠ eval␠ env␠ sudo␠ -exec␠ ␠-o é`
  .trim()
  .split(/\s+/)
  .map((piece) => piece.replaceAll('␠', ' '))
  .concat('\n', '\t', '\r', '\0', '\nA\n', '\ud800', '\u202e')

/** Anything at all, and what is almost a command. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join('')),
)
