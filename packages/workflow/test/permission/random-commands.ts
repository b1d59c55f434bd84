import fc from 'fast-check'
import { hostileCommands } from './hostile-commands.ts'

const pairs = Object.values(hostileCommands).flat()

/** One line that is complete, so that something can stand behind it. */
const isWhole = (command: string): boolean =>
  command.trim() !== '' && !/#|\n|&$|^\s*(?:for|case|if|while|until|select)\b/.test(command)

/** A command that only looks. */
export const probeCommand: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...pairs.flatMap(([, , twin, is]) => (is === 'probe' && isWhole(twin) && !/^(?:!|time)/.test(twin) ? [twin] : [])),
  ),
  fc
    .tuple(
      fc.constantFrom(
        'ls',
        'cat',
        'head -n 3',
        'wc -l',
        'grep -n x',
        'stat',
        'timeout 5 ls',
        'env LANG=C cat',
        'git log --',
      ),
      fc.array(fc.constantFrom('a', './b', '"c d"', "'e;f'", 'g\\ h', '"$i"', '*.j', '~/k'), { maxLength: 4 }),
    )
    .map(([command, args]) => [command, ...args].join(' ')),
)

/** Commands that do more than look, and that another can stand before or behind. */
export const hostileFragments: fc.Arbitrary<string> = fc.constantFrom(
  ...pairs.flatMap(([hostile]) => (isWhole(hostile) && !hostile.includes('<<') ? [hostile] : [])),
)

export const operators: fc.Arbitrary<string> = fc.constantFrom(
  ' ; ',
  ' && ',
  ' || ',
  ' | ',
  ' & ',
  '\n',
  ' |& ',
  ' ;\n',
)

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
