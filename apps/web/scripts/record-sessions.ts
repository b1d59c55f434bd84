// Makes real sessions to look at: the real command works in a small project, and only its model is a script. Each is
// written as `loader export --format json` gives it: node --conditions=@loader/source scripts/record-sessions.ts FOLDER
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { call } from '@loader/test-harness'
import { type WireLine, wireServer } from '@loader/test-harness/wire'

const home = '/home/ada'
const project = join(home, 'invoices')
const loader = resolve(import.meta.dirname, '../../cli/src/loader.ts')
const model = 'anthropic/claude-sonnet-4-5'

const modules = ['currency', 'address', 'customer', 'terms', 'numbering', 'archive', 'reminder', 'ledger']

const files: Readonly<Record<string, string>> = {
  'package.json': `${JSON.stringify({ name: 'invoices', type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`,
  'README.md': '# invoices\n\nTotals of invoices, in cents. `npm test` runs the tests.\n',
  'src/total.js': `// Amounts are in cents; rates are parts of a hundred.
export function lineTotal({ price, count }) {
  return price * count
}

export function tax(lines, rate) {
  let sum = 0
  for (const line of lines) {
    sum += Math.round((lineTotal(line) * rate) / 100)
  }
  return sum
}

export function total(lines, rate) {
  return lines.reduce((sum, line) => sum + lineTotal(line), 0) + tax(lines, rate)
}
`,
  'test/total.test.js': `import assert from 'node:assert'
import { test } from 'node:test'
import { lineTotal, tax, total } from '../src/total.js'

test('a line is its price times its count', () => assert.equal(lineTotal({ price: 1250, count: 3 }), 3750))
test('tax is rounded once, on the sum', () => {
  const lines = [{ price: 33, count: 1 }, { price: 33, count: 1 }, { price: 33, count: 1 }]
  assert.equal(tax(lines, 19), 19)
})
test('nothing costs nothing', () => assert.equal(total([], 19), 0))
test('half a cent of tax is rounded to the even one', () => assert.equal(tax([{ price: 50, count: 1 }], 5), 2))
`,
  'tools/publish.js': `import { appendFileSync } from 'node:fs'
console.log('publishing the price list, this takes a while')
setTimeout(() => appendFileSync('published.log', 'price list 4\\n'), 2500)
`,
  ...Object.fromEntries(
    modules.map((name) => [
      `src/${name}.js`,
      `${Array.from({ length: 40 }, (_, index) => `// ${name}: rule ${index + 1} of the ${name} module, as it was agreed with the office.\nexport const ${name}Rule${index + 1} = ${index * 7}\n`).join('')}`,
    ]),
  ),
}

const drip = (delayMs: number) => ({ chunks: 'word' as const, fault: { type: 'drip' as const, delayMs } })
const slowly = 22

function says(text: string, ...calls: readonly ReturnType<typeof call>[]): WireLine {
  return { text, ...(calls.length > 0 && { calls }), ...drip(slowly) } as WireLine
}

const firstTask = 'Totals are off by a cent on some invoices. Find out why and fix it; leave the tests as they are.'
const first: readonly WireLine[] = [
  {
    ...says(
      'I look at the code and its tests first.',
      call('read', { file_path: 'src/total.js' }),
      call('read', { file_path: 'test/total.test.js' }),
    ),
    reasoning:
      'Off by a cent is nearly always a matter of rounding. Either each line is rounded and then summed, or the tests expect another mode of rounding. I look before I guess.',
  },
  says('Now the tests, as they are.', call('bash', { command: 'npm test' })),
  says(
    `The tax is **rounded line by line**: three lines of 33 cents at 19 % make 3 × 6 = 18 cents, not 19. It has to be rounded once:

\`\`\`js
return Math.round((lines.reduce((sum, line) => sum + lineTotal(line), 0) * rate) / 100)
\`\`\``,
    call('edit', {
      file_path: 'src/total.js',
      old_string: `  let sum = 0
  for (const line of lines) {
    sum += Math.round((lineTotal(line) * rate) / 100)
  }
  return sum`,
      new_string: `  const net = lines.reduce((sum, line) => sum + lineTotal(line), 0)
  return Math.round((net * rate) / 100)`,
    }),
  ),
  says('Done! The tax is rounded once now, and all tests pass.'),
  {
    ...says(
      'One test is still red: half a cent has to go to the even neighbour, and `Math.round` always goes up.',
      call('edit', {
        file_path: 'src/total.js',
        old_string: '  return Math.round((net * rate) / 100)',
        new_string: `  return roundHalfEven((net * rate) / 100)`,
      }),
      call('edit', {
        file_path: 'src/total.js',
        old_string: 'export function tax',
        new_string: `function roundHalfEven(amount) {
  const down = Math.floor(amount)
  if (amount - down !== 0.5) return Math.round(amount)
  return down % 2 === 0 ? down : down + 1
}

export function tax`,
      }),
    ),
    reasoning:
      'The check says that my change was not enough. The message names the test: half a cent, 2.5 should become 2.',
  },
  says(
    `Both causes are fixed:

| cause | before | now |
| --- | --- | --- |
| tax rounded line by line | 18 | 19 |
| half a cent always up | 3 | 2 |

The tests are as they were. Nothing else changed.`,
  ),
]

const secondTask = 'Publish the price list with `node tools/publish.js`, then note it in CHANGELOG.md.'
const second: readonly WireLine[] = [says('I publish it.', call('bash', { command: 'node tools/publish.js' }))]
const resumed: readonly WireLine[] = [
  says('Whether it was published is not known, so I look first.', call('bash', { command: 'ls' })),
  says(
    'There is no entry, so nothing was published. I publish it once.',
    call('bash', { command: 'node tools/publish.js && cat published.log' }),
  ),
  says(
    'Now the note.',
    call('write', {
      file_path: 'CHANGELOG.md',
      content: '# Price list 4\n\n- Published, once.\n- Tax is rounded once, half a cent to the even one.\n',
    }),
  ),
  says(
    'The price list is published, once, and noted.',
    call('finish', {
      how: 'done',
      summary: 'Price list 4 is published and noted in CHANGELOG.md.',
      found: [{ call: 'node tools/publish.js', shown_by: 'ls', what: 'nothing had been published' }],
    }),
  ),
]

const thirdTask = 'Read all modules in src and tell me which rules they share.'
const third: readonly WireLine[] = [
  ...modules.map((name) => says(`Next is ${name}.`, call('read', { file_path: `src/${name}.js` }))),
  says(
    'Each module has **forty rules** of its own; none of them is shared. `total.js` is the only one with arithmetic.',
  ),
]

const fourthTask = 'Allow a discount on a line, in parts of a hundred, with a test.'
const fourth: readonly WireLine[] = [
  says(
    'I write the test and the code.',
    call('edit', {
      file_path: 'test/total.test.js',
      old_string: "test('nothing costs nothing'",
      new_string: `test('a discount is taken off its line', () => assert.equal(lineTotal({ price: 1000, count: 2, discount: 25 }), 1500))
test('nothing costs nothing'`,
    }),
    call('edit', {
      file_path: 'src/total.js',
      old_string: 'lineTotal({ price, count }) {\n  return price * count',
      new_string:
        'lineTotal({ price, count, discount = 0 }) {\n  return Math.round((price * count * (100 - discount)) / 100)',
    }),
  ),
  says('Lines can have a discount now, and a test shows it.'),
]

/** Others for the list: a question, a change that rests on a changed test, and one that fails. */
const others: readonly { readonly task: string; readonly lines: readonly WireLine[] }[] = [
  {
    task: 'What does tools/publish.js do?',
    lines: [
      says('I read it.', call('read', { file_path: 'tools/publish.js' })),
      says('It appends a line to `published.log`, two and a half seconds after it was started.'),
    ],
  },
  {
    task: 'Round half a cent up again.',
    lines: [
      says(
        'The rounding and its test change together.',
        call('edit', {
          file_path: 'src/total.js',
          old_string: 'return down % 2 === 0 ? down : down + 1',
          new_string: 'return down + 1',
        }),
        call('edit', {
          file_path: 'test/total.test.js',
          old_string:
            "half a cent of tax is rounded to the even one', () => assert.equal(tax([{ price: 50, count: 1 }], 5), 2)",
          new_string: "half a cent of tax is rounded up', () => assert.equal(tax([{ price: 50, count: 1 }], 5), 3)",
        }),
      ),
      says('Half a cent goes up again, and the test says so.'),
    ],
  },
  {
    task: 'Rename total to sum everywhere.',
    lines: [
      says('I rename it.', call('bash', { command: "sed -i 's/function total/function sum/' src/total.js" })),
      ...Array.from({ length: 5 }, () => says('It is renamed; that should be all.')),
    ],
  },
]

const target = resolve(process.argv[2] ?? '.')
rmSync(project, { recursive: true, force: true })
rmSync(join(home, '.loader-look'), { recursive: true, force: true })
mkdirSync(join(project, '.git'), { recursive: true })
mkdirSync(target, { recursive: true })
for (const [name, text] of Object.entries(files)) {
  mkdirSync(dirname(join(project, name)), { recursive: true })
  writeFileSync(join(project, name), text)
}

await turn(first, ['-p', firstTask, '-m', model])
await turn(second, ['-p', secondTask, '-c'], 'kill')
await turn(resumed, ['-c', '-p', 'Go on.'])
await turn(third, ['-c', '-p', thirdTask, '--config', 'limits.compactAtTokens=14000'])
await turn(fourth, ['-c', '-p', fourthTask])
const recorded = await run(['export', '--format', 'json'], 'http://127.0.0.1:1')
for (const { task, lines } of others) await turn(lines, ['-p', task, '-m', model])
writeFileSync(join(target, 'invoices.json'), recorded)

/** One run of the command. With `kill`, its process is ended while its first command runs. */
async function turn(
  lines: readonly WireLine[],
  words: readonly string[],
  how: 'kill' | 'whole' = 'whole',
): Promise<void> {
  await using server = await wireServer({ lines, usage: 'counted' })
  if (how === 'whole') {
    process.stderr.write(await run([...words, '--allowed-tools', 'Bash'], server.url))
    return
  }
  const child = spawn(
    process.execPath,
    ['--conditions=@loader/source', loader, ...words, '--output-format', 'events', '--allowed-tools', 'Bash'],
    options(server.url),
  )
  for await (const text of createInterface({ input: child.stdout })) {
    if (!text.includes('"tool.started"')) continue
    await new Promise((done) => setTimeout(done, 900))
    child.kill('SIGKILL')
    break
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

async function run(words: readonly string[], url: string): Promise<string> {
  const child = spawn(process.execPath, ['--conditions=@loader/source', loader, ...words], options(url))
  let out = ''
  child.stdout.on('data', (piece: Buffer) => (out += piece.toString()))
  await once(child, 'close')
  return out
}

function options(url: string) {
  const environment = {
    ...process.env,
    HOME: home,
    LOADER_STATE: join(home, '.loader-look', 'state'),
    LOADER_CONFIG: join(home, '.loader-look', 'config'),
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'sk-ant-look',
    NO_COLOR: '1',
  }
  return { cwd: project, env: environment, stdio: ['ignore', 'pipe', 'inherit'] as ['ignore', 'pipe', 'inherit'] }
}
