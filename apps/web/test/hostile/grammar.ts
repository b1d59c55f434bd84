import fc from 'fast-check'

// Texts of kinds that nobody has thought of: elements, attributes, addresses, Markdown, escapes and marks of all sorts, put
// into each other at random. Whatever of it runs calls `ran()`, and whatever of it loads asks attacker.example.

const words = (text: string) => fc.constantFrom(...text.split(' '))

/** Letters in any case, with what parsers skip put between them. */
const disguised = (text: string) =>
  fc
    .array(
      fc.tuple(fc.boolean(), fc.constantFrom('', '', '', '\t', '\n', '\u0000', '\u00ad', '\u200b', '&Tab;', '\\')),
      {
        minLength: text.length,
        maxLength: text.length,
      },
    )
    .map((signs) =>
      Array.from(text)
        .map((sign, at) => `${signs[at]?.[0] === true ? sign.toUpperCase() : sign}${signs[at]?.[1]}`)
        .join(''),
    )

const encoded = (text: string) =>
  fc.constantFrom(
    text,
    encodeURIComponent(text),
    Array.from(text)
      .map((sign) => `&#${sign.charCodeAt(0)};`)
      .join(''),
    Array.from(text)
      .map((sign) => `&#x${sign.charCodeAt(0).toString(16)}`)
      .join(''),
    Array.from(text)
      .map((sign) => `\\u{${sign.charCodeAt(0).toString(16)}}`)
      .join(''),
  )

const scheme = fc.oneof(
  ...['javascript:', 'vbscript:', 'data:text/html,', 'data:image/svg+xml,', 'blob:', 'file:///', 'view-source:'].map(
    disguised,
  ),
  ...['javascript:', 'data:text/html;base64,'].map(encoded),
  words('http: https: // mailto: intent: ws: ftp: about: \\\\ /\\'),
)
const address = fc
  .tuple(scheme, words('ran() //attacker.example/x %0aran() <script>ran()</script> attacker.example/ran() cmFuKCk='))
  .map((parts) => parts.join(''))

const mark = fc.oneof(
  fc.constantFrom(
    ...Array.from(
      '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c\u200b\ufeff\u2028\u2029\u0085',
    ),
  ),
  fc.constantFrom(
    '\u0000',
    '\u0007',
    '\u0008',
    '\u001b',
    '\u007f',
    '\u009b',
    '\ud800',
    '\udfff',
    '\u{e0041}',
    '\u0336'.repeat(50),
  ),
  fc.integer({ min: 0, max: 0x10_ff_ff }).map((code) => String.fromCodePoint(code)),
  fc.integer({ min: 0, max: 0x10_ff_ff }).map((code) => `&#${code};`),
)
const escape = fc
  .tuple(
    fc.constantFrom('\u001b[', '\u009b', '\u001b]8;;', '\u001b]0;', '\u001bP', '\u001b_G', '\u001b]52;c;'),
    fc.oneof(
      fc.array(fc.nat(200), { maxLength: 4 }).map((some) => some.join(';')),
      address,
    ),
    fc.constantFrom('m', 'J', 'H', '\u0007', '\u001b\\', ''),
  )
  .map((parts) => parts.join(''))

const element = fc.oneof(
  words(
    'script style iframe object embed link meta base form input button textarea select svg math template noscript title xmp plaintext',
  ),
  words(
    'img video audio source picture track details dialog marquee body html head frameset portal a p div table td li pre code',
  ),
  words('animate set use image foreignObject mglyph mtext annotation-xml desc slot x-own selectedcontent'),
  fc.string({ minLength: 1, maxLength: 6 }),
)
const attribute = fc
  .tuple(
    words(
      'onerror onload onclick onfocus onbegin ontoggle onpointerenter onbeforematch oncontentvisibilityautostatechange src href xlink:href srcdoc srcset style action formaction ping data poster background id name class is slot autofocus popover target http-equiv content dangerouslySetInnerHTML key ref',
    ),
    fc.constantFrom('=', '="', "='", '=`', ' = ', '/=', '\u0000='),
    fc.oneof(
      address,
      fc.constantFrom('ran()', 'x', 'background:url(//attacker.example/x)', '{{ran()}}', '0;url=javascript:ran()'),
    ),
    fc.constantFrom('"', "'", '`', '', ' ', '>'),
  )
  .map((parts) => parts.join(''))

const { text } = fc.letrec<{ text: string; piece: string; markup: string; markdown: string }>((tie) => ({
  text: fc.array(tie('piece'), { minLength: 1, maxLength: 5 }).map((parts) => parts.join('')),
  piece: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    words(
      'word ran() ${ran()} {{ran()}} <%ran()%> __proto__ constructor # > - 1. ``` ~~~ | \n \n\n \t --- === * _ ]( ![ <!-- --> <![CDATA[ ]]> <?xml <!doctype </',
    ),
    mark,
    escape,
    address,
    tie('markup'),
    tie('markdown'),
  ),
  markup: fc
    .tuple(
      element,
      fc.array(attribute, { maxLength: 3 }),
      fc.constantFrom('>', '/>', '', '\n>', ' //>', '<'),
      tie('text'),
      fc.boolean(),
    )
    .map(
      ([name, attributes, end, inside, closes]) =>
        `<${[name, ...attributes].join(' ')}${end}${inside}${closes ? `</${name}>` : ''}`,
    ),
  markdown: fc.oneof(
    fc
      .tuple(fc.constantFrom('*', '**', '_', '~~', '`', '``', '\\', '||'), tie('text'))
      .map(([sign, inside]) => `${sign}${inside}${sign}`),
    fc
      .tuple(fc.constantFrom('', '!'), tie('text'), address, tie('text'))
      .map(([sign, inside, to, title]) => `${sign}[${inside}](${to} "${title}")`),
    fc.tuple(tie('text'), address).map(([inside, to]) => `[${inside}][r]\n\n[r]: ${to}\n\n<${to}>`),
    fc
      .tuple(fc.constantFrom('> ', '- ', '1. ', '# ', '    ', '- [ ] '), tie('text'))
      .map(([sign, inside]) => `\n${sign}${inside.replaceAll('\n', `\n${sign}`)}\n`),
    fc.tuple(tie('text'), tie('text')).map(([info, inside]) => `\n\`\`\`${info}\n${inside}\n\`\`\`\n`),
    fc.tuple(tie('text'), tie('text')).map(([one, other]) => `\n| ${one} | b |\n| --- | --- |\n| ${other} | c |\n`),
  ),
}))

/** So many texts; the same number makes the same ones. */
export function randomTexts(seed: number, count: number): string[] {
  return fc.sample(text, { seed, numRuns: count }).map((one) => `${one.slice(0, 4_000)} ran()`)
}
