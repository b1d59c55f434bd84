/** The two halves of a plan, told apart in all the ways that models write them. */
export const separatorRows: readonly [layout: string, separator: string][] = [
  ['three brackets', '<<<VERIFICATION>>>'],
  ['two brackets', '<<VERIFICATION>>'],
  ['with spaces', '  <<< Verification >>>  '],
  ['bold', '**<<<VERIFICATION>>>**'],
  ['as code', '`<<<VERIFICATION>>>`'],
  ['as a heading', '## <<<VERIFICATION>>>'],
  ['forgotten', ''],
]

export const stepRows: readonly [rule: string, text: string, steps: readonly string[]][] = [
  [
    'the execution order',
    '## File Changes\n- a.ts\n## Execution Order\n1. Write a.ts\n2. Test it',
    ['Write a.ts', 'Test it'],
  ],
  ['else the file changes', '## File Changes\n- a.ts: new\n- b.ts\n## Risks\n- none', ['a.ts: new', 'b.ts']],
  ['else the task', 'I would just do it.', ['Do it all']],
  ['an order without steps is none', '## Execution Order\n## File Changes\n- a.ts', ['a.ts']],
  [
    'nested details belong to their step',
    '## Steps\n1. Write a.ts\n   - export main\n2. Test it',
    ['Write a.ts; export main', 'Test it'],
  ],
  ['under another name', '**Implementation Steps:**\n- one\n- two', ['one', 'two']],
]

export const commandRows: readonly [layout: string, lines: string, commands: readonly string[]][] = [
  ['code spans', '- `npm test` runs all of it\n- `npm run lint`', ['npm test', 'npm run lint']],
  ['double code spans', '- ``echo `date` ``', ['echo `date`']],
  ['only the first span of a line is a command', '- `npm test` prints `ok`', ['npm test']],
  ['fenced code', '```sh\n# all tests\n$ npm test\n\nnpm run lint\n```', ['npm test', 'npm run lint']],
  ['a command over two lines', '```\nnpm test \\\n  --silent\n```', ['npm test --silent']],
  ['plain lines', '1. npm test\n2. ./check.sh --all\n- CI=1 npm test', ['npm test', './check.sh --all']],
  ['a prompt', '$ pytest -q', ['pytest -q']],
  ['run and a command', '- Run npm test\n- Run: `npm run lint`', ['npm test', 'npm run lint']],
  [
    'sentences are none',
    '- Check that the page loads\n- verify it by hand\n- make sure it works\n- All tests pass.',
    [],
  ],
  ['a sentence with its full stop is none', '- npm test passes.', []],
  ['make is a command', '- make test', ['make test']],
  ['each once', '- `npm test`\n- npm test', ['npm test']],
  ['none', '- None', []],
  ['nothing', '', []],
]

export const plannedFileRows: readonly [rule: string, changes: string, steps: string, files: readonly string[]][] = [
  ['code spans', '- `src/a.ts`: the parser\n- `b.md`', '', ['src/a.ts', 'b.md']],
  [
    'plain names',
    '- src/a.ts - the parser\n- Makefile (new)\n- .gitignore\n- .env',
    '',
    ['src/a.ts', 'Makefile', '.gitignore', '.env'],
  ],
  ['bold names', '- **src/a.ts**: the parser', '', ['src/a.ts']],
  ['in a sentence', '- Create hello.txt with a greeting', '', ['hello.txt']],
  ['two in one line', '- `a.ts`, `b.ts`: both', '', ['a.ts', 'b.ts']],
  ['what stands behind the name explains it', '- `a.ts`: like `old/b.ts`, uses `lib.c`', '', ['a.ts']],
  ['what is deleted will not be there', '- Delete `old.ts`\n- `older.ts`: remove it\n- `new.ts`', '', ['new.ts']],
  ['of a renamed file, the new name', '- Rename `old.ts` to `new.ts`', '', ['new.ts']],
  ['a leading ./', '- ./src/a.ts', '', ['src/a.ts']],
  ['inside the root', '- `/home/me/project/src/a.ts`', '', ['src/a.ts']],
  ['outside it, nobody can tell', '- `/etc/hosts`\n- `../other/a.ts`\n- `~/.profile`\n- C:\\x\\a.ts', '', []],
  ['folders', '- `src/routing/`: new', '', ['src/routing/']],
  [
    'names of other things',
    '- Node.js 20\n- scripts.test in the manifest\n- input/output\n- all .ts files, `*.md`, src/<name>.ts and lib/{a,b}.ts\n- `parse()` and `a.b.member`\n- e.g. this',
    '',
    [],
  ],
  ['what a step makes', '', '1. Create `src/a.ts`\n2. Read `src/b.ts`\n3. Run `c.sh`', ['src/a.ts']],
  ['each once', '- `a.ts`\n- `a.ts`', '1. Write a.ts', ['a.ts']],
  ['none', '- none', '1. Think', []],
]

export const pastRows: readonly [step: string, past: boolean][] = [
  ['Created the parser', true],
  ['Already added the tests', true],
  ['Done: the parser', true],
  ['**Updated** the readme', true],
  ['- Wrote notes.txt', true],
  ['[x] Write notes.txt', true],
  ['✓ Write notes.txt', true],
  ['notes.txt has been written', true],
  ['The parser is already in place', true],
  ['Create the parser', false],
  ['Fixed-width columns for the table', false],
  ['Check that notes.txt has been written', false],
  ['Test what was already there', false],
  ['[ ] Write notes.txt', false],
  ['Embed the font', false],
  ['', false],
]
