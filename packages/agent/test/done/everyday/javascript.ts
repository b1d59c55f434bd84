import { bash, edits, writes } from '../story.ts'
import type { Everyday } from './everyday.ts'

/** A small shop: a library with an entry, an old test for each module, and one bug. */
const shop = {
  'package.json': `{
  "name": "shop",
  "version": "1.4.0",
  "type": "module",
  "main": "src/index.js",
  "scripts": {
    "test": "node --test"
  }
}
`,
  'README.md': '# Shop\n\nPrices and carts.\n',
  'src/index.js': "export { total } from './cart.js'\nexport { formatPrice } from './price.js'\n",
  'src/price.js': `const symbols = { EUR: '€', USD: '$' }

/** 1250 cents are 12.50. */
export function formatPrice(cents, currency = 'EUR') {
  return \`\${symbols[currency]}\${(cents / 100).toFixed(2)}\`
}
`,
  'src/cart.js': `import { formatPrice } from './price.js'

export function total(items) {
  let cents = 0
  for (const item of items) cents += item.cents * item.count
  return formatPrice(cents)
}
`,
  'test/price.test.js': `import test from 'node:test'
import assert from 'node:assert/strict'
import { formatPrice } from '../src/price.js'

test('formats euros', () => assert.equal(formatPrice(1250), '€12.50'))
test('formats dollars', () => assert.equal(formatPrice(5, 'USD'), '$0.05'))
`,
  'test/cart.test.js': `import test from 'node:test'
import assert from 'node:assert/strict'
import { total } from '../src/cart.js'

test('adds what is in the cart', () => assert.equal(total([{ cents: 200, count: 2 }, { cents: 50, count: 1 }]), '€4.50'))
test('is zero for an empty cart', () => assert.equal(total([]), '€0.00'))
`,
} as const

const cart = shop['src/cart.js']
const brokenShop = { ...shop, 'src/cart.js': cart.replace(' * item.count', '') }
const language = 'JavaScript'

const commit = (message: string) =>
  bash(`git add -A && git -c user.name=Model -c user.email=model@example.invalid commit -qm '${message}'`)

export const javascript: readonly Everyday[] = [
  {
    what: 'a bug that an old test knows, found by running the tests, and committed',
    language,
    word: 'verified',
    git: true,
    files: brokenShop,
    turns: [
      {
        task: 'npm test is red since the last merge. Please fix it and commit.',
        does: [
          [bash('npm test')],
          [edits('src/cart.js', 'item.cents', 'item.cents * item.count')],
          [bash('npm test')],
          [commit('Count the items')],
        ],
      },
    ],
  },
  {
    what: 'a bug of a report without a test, with a regression test in the old file',
    language,
    word: 'verified',
    git: true,
    files: shop,
    turns: [
      {
        task: 'formatPrice(-1250) gives "€-12.50", it should be "-€12.50". Add a regression test.',
        does: [
          [
            edits(
              'test/price.test.js',
              "test('formats dollars'",
              "test('puts the sign first', () => assert.equal(formatPrice(-1250), '-€12.50'))\ntest('formats dollars'",
            ),
          ],
          [
            edits(
              'src/price.js',
              'return `${symbols[currency]}${(cents / 100).toFixed(2)}`',
              "const sign = cents < 0 ? '-' : ''\n  return `${sign}${symbols[currency]}${(Math.abs(cents) / 100).toFixed(2)}`",
            ),
          ],
          [bash('npm test')],
        ],
      },
    ],
  },
  {
    what: 'a new feature in an old module, with tests in its old file, in a large repository',
    language,
    word: 'verified',
    git: true,
    modules: 3000,
    files: shop,
    turns: [
      {
        task: 'Carts need discounts: total(items, { percent }) takes that much off.',
        does: [
          [
            writes(
              'src/cart.js',
              cart
                .replace('total(items)', 'total(items, { percent = 0 } = {})')
                .replace('formatPrice(cents)', 'formatPrice(Math.round(cents * (1 - percent / 100)))'),
            ),
            edits(
              'test/cart.test.js',
              "test('is zero",
              "test('takes a discount off', () => assert.equal(total([{ cents: 200, count: 1 }], { percent: 10 }), '€1.80'))\ntest('is zero",
            ),
          ],
        ],
      },
    ],
  },
  {
    what: 'a bug in a large project without git',
    language,
    word: 'verified',
    modules: 2500,
    files: brokenShop,
    turns: [{ task: 'The totals are wrong.', does: [[edits('src/cart.js', 'item.cents', 'item.cents * item.count')]] }],
  },
  {
    what: 'a new module that the entry exports, with a new test file',
    language,
    word: 'verified',
    git: true,
    files: shop,
    turns: [
      {
        task: 'Add slugify(text) for product pages, exported from the entry, with tests.',
        does: [
          [
            writes(
              'src/slug.js',
              "export function slugify(text) {\n  return text.trim().toLowerCase().replace(/[^a-z0-9]+/g, '-')\n}\n",
            ),
            edits('src/index.js', 'export { total }', "export { slugify } from './slug.js'\nexport { total }"),
            writes(
              'test/slug.test.js',
              "import test from 'node:test'\nimport assert from 'node:assert/strict'\nimport { slugify } from '../src/slug.js'\n\ntest('joins words', () => assert.equal(slugify(' Red Shoes '), 'red-shoes'))\n",
            ),
          ],
        ],
      },
    ],
  },
  {
    what: 'a class with methods, async ones too, and its tests',
    language,
    word: 'verified',
    files: shop,
    turns: [
      {
        task: 'Write a Stock class (add, take, load from an async source) with tests, and export it.',
        does: [
          [
            edits('src/index.js', 'export { total }', "export { Stock } from './stock.js'\nexport { total }"),
            writes(
              'src/stock.js',
              `export class Stock {
  #counts = new Map()

  add(name, count) {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + count)
  }

  take(name) {
    const count = this.#counts.get(name) ?? 0
    if (count === 0) throw new Error(\`No \${name} left\`)
    this.#counts.set(name, count - 1)
    return count - 1
  }

  async load(source) {
    for (const [name, count] of await source()) this.add(name, count)
  }
}
`,
            ),
            writes(
              'test/stock.test.js',
              `import { test } from 'node:test'
import assert from 'node:assert/strict'
import { Stock } from '../src/stock.js'

test('takes what is there', () => {
  const stock = new Stock()
  stock.add('shoe', 2)
  assert.equal(stock.take('shoe'), 1)
})
test('has an end', () => assert.throws(() => new Stock().take('shoe'), /No shoe left/))
test('is loaded', async () => {
  const stock = new Stock()
  await stock.load(async () => [['hat', 3]])
  assert.equal(stock.take('hat'), 2)
})
`,
            ),
          ],
        ],
      },
    ],
  },
  {
    what: 'a module that nothing but its own new test uses',
    language,
    word: 'verified',
    files: shop,
    turns: [
      {
        task: 'Write a module with isFree(cart) and a test; we wire it up later.',
        does: [
          [
            writes('src/free.js', 'export const isFree = (items) => items.every(({ cents }) => cents === 0)\n'),
            writes(
              'test/free.test.js',
              "import test from 'node:test'\nimport assert from 'node:assert'\nimport { isFree } from '../src/free.js'\ntest('is free', () => assert.equal(isFree([{ cents: 0 }]), true))\n",
            ),
          ],
        ],
      },
    ],
  },
  {
    what: 'a function renamed everywhere',
    language,
    word: 'rests_on',
    restsOn: ['test/price.test.js'],
    git: true,
    files: shop,
    turns: [
      {
        task: 'Rename formatPrice to priceText everywhere.',
        does: [[bash("grep -rl formatPrice src test | xargs sed -i 's/formatPrice/priceText/g'")], [bash('npm test')]],
      },
    ],
  },
  {
    what: 'a module moved to a folder of its own',
    language,
    word: 'rests_on',
    restsOn: ['test/price.test.js'],
    git: true,
    files: shop,
    turns: [
      {
        task: 'Move src/price.js to src/money/price.js.',
        does: [
          [
            bash(
              "mkdir -p src/money && git mv src/price.js src/money/price.js && sed -i 's#./price.js#./money/price.js#' src/index.js src/cart.js && sed -i 's#../src/price.js#../src/money/price.js#' test/price.test.js",
            ),
          ],
        ],
      },
    ],
  },
  {
    what: 'dead code deleted',
    language,
    word: 'held',
    git: true,
    files: { ...shop, 'src/old-price.js': 'export const oldPrice = (cents) => cents / 100\n' },
    turns: [
      { task: 'src/old-price.js is not used any more, delete it.', does: [[bash('git rm -q src/old-price.js')]] },
    ],
  },
  {
    what: 'a feature deleted with its tests',
    language,
    word: 'rests_on',
    restsOn: ['test/price.test.js'],
    git: true,
    files: shop,
    turns: [
      {
        task: 'We only sell in euros now. Drop the currency parameter and its test.',
        does: [
          [
            edits('src/price.js', "const symbols = { EUR: '€', USD: '$' }\n\n", ''),
            edits('src/price.js', "cents, currency = 'EUR'", 'cents'),
            edits('src/price.js', '${symbols[currency]}', '€'),
            edits(
              'test/price.test.js',
              "test('formats dollars', () => assert.equal(formatPrice(5, 'USD'), '$0.05'))\n",
              '',
            ),
          ],
        ],
      },
    ],
  },
  {
    what: 'a behaviour changed as asked, with the test that says so',
    language,
    word: 'rests_on',
    restsOn: ['test/cart.test.js', 'test/price.test.js'],
    files: shop,
    turns: [
      {
        task: 'Prices should read "12.50 €", with the symbol behind. Change code and tests.',
        does: [
          [
            edits(
              'src/price.js',
              '`${symbols[currency]}${(cents / 100).toFixed(2)}`',
              '`${(cents / 100).toFixed(2)} ${symbols[currency]}`',
            ),
            bash(
              "sed -i \"s/'€12.50'/'12.50 €'/; s/'\\$0.05'/'0.05 \\$'/\" test/price.test.js && sed -i \"s/'€4.50'/'4.50 €'/; s/'€0.00'/'0.00 €'/\" test/cart.test.js",
            ),
          ],
        ],
      },
    ],
  },
  {
    what: 'a refactoring into a helper module',
    language,
    word: 'held',
    git: true,
    files: shop,
    turns: [
      {
        task: 'Extract the currency symbols into a module of their own.',
        does: [
          [
            writes('src/symbols.js', "export const symbols = { EUR: '€', USD: '$' }\n"),
            edits(
              'src/price.js',
              "const symbols = { EUR: '€', USD: '$' }\n",
              "import { symbols } from './symbols.js'\n",
            ),
          ],
        ],
      },
    ],
  },
  {
    what: 'documentation in a comment and in the readme',
    language,
    word: 'held',
    git: true,
    files: shop,
    turns: [
      {
        task: 'Document total() and say in the README how to run the tests.',
        does: [
          [
            edits('src/cart.js', 'export function', '/** What the cart costs, as a text. */\nexport function'),
            writes('README.md', '# Shop\n\nPrices and carts.\n\nRun the tests with `npm test`.\n'),
          ],
        ],
      },
    ],
  },
  {
    what: 'a favicon and the page that names it',
    language,
    word: 'held',
    git: true,
    files: {
      ...shop,
      'public/index.html': '<!doctype html>\n<html>\n<head>\n<title>Shop</title>\n</head>\n<body></body>\n</html>\n',
    },
    turns: [
      {
        task: 'Add a favicon.',
        does: [
          [
            writes('public/favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"><circle r="8"/></svg>\n'),
            edits('public/index.html', '<title>', '<link rel="icon" href="/favicon.svg">\n<title>'),
          ],
        ],
      },
    ],
  },
  {
    what: 'a lint script that is new',
    language,
    word: 'held',
    git: true,
    files: shop,
    turns: [
      {
        task: 'Add an npm script "lint" that fails on tabs in src.',
        does: [
          [
            writes(
              'scripts/lint.mjs',
              "import { readdirSync, readFileSync } from 'node:fs'\n\nconst tabbed = readdirSync('src').filter((name) => readFileSync(`src/${name}`, 'utf8').includes('\\t'))\nif (tabbed.length > 0) {\n  console.error(`Tabs in ${tabbed.join(', ')}`)\n  process.exitCode = 1\n}\n",
            ),
            edits(
              'package.json',
              '"test": "node --test"',
              '"lint": "node scripts/lint.mjs",\n    "test": "node --test"',
            ),
          ],
          [bash('npm run lint')],
        ],
      },
    ],
  },
  {
    what: 'a release: the version and its notes',
    language,
    word: 'held',
    git: true,
    files: shop,
    turns: [
      {
        task: 'Bump to 1.5.0 with a changelog.',
        does: [
          [
            edits('package.json', '1.4.0', '1.5.0'),
            writes('CHANGELOG.md', '# Changes\n\n## 1.5.0\n\n- Discounts.\n'),
            commit('Release 1.5.0'),
          ],
        ],
      },
    ],
  },
  {
    what: 'settings of editor and CI',
    language,
    word: 'held',
    git: true,
    files: shop,
    turns: [
      {
        task: 'Add an editorconfig, and a GitHub workflow that runs the tests.',
        does: [
          [
            writes('.editorconfig', 'root = true\n\n[*]\nindent_style = space\n'),
            writes(
              '.github/workflows/test.yml',
              'on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: npm test\n',
            ),
          ],
        ],
      },
    ],
  },
  {
    what: 'one of two red tests, where the other has nothing to do with it',
    language,
    word: 'verified',
    files: {
      ...brokenShop,
      'test/clock.test.js':
        "import test from 'node:test'\nimport assert from 'node:assert'\ntest('needs a clock that we do not have', () => assert.fail('no clock'))\n",
    },
    turns: [
      {
        task: 'Fix the totals. The clock test is known to be red, leave it.',
        does: [[edits('src/cart.js', 'item.cents', 'item.cents * item.count')]],
      },
    ],
  },
  {
    what: 'a new feature beside a test that was red before',
    language,
    word: 'verified',
    git: true,
    files: {
      ...shop,
      'test/clock.test.js':
        "import test from 'node:test'\nimport assert from 'node:assert'\ntest('needs a clock that we do not have', () => assert.fail('no clock'))\n",
    },
    turns: [
      {
        task: 'Add isFree(cart) with a test, and export it.',
        does: [
          [
            edits('src/index.js', 'export { total }', "export { isFree } from './free.js'\nexport { total }"),
            writes('src/free.js', 'export const isFree = (items) => items.every(({ cents }) => cents === 0)\n'),
            writes(
              'test/free.test.js',
              "import test from 'node:test'\nimport assert from 'node:assert'\nimport { isFree } from '../src/free.js'\ntest('is free', () => assert.equal(isFree([{ cents: 0 }]), true))\ntest('costs', () => assert.equal(isFree([{ cents: 1 }]), false))\n",
            ),
          ],
        ],
      },
    ],
  },
  {
    what: 'a test that needs an ignored file of settings',
    language,
    word: 'verified',
    git: true,
    files: {
      ...brokenShop,
      '.gitignore': 'node_modules\n.env\n',
      '.env': 'CURRENCY=EUR\n',
      'test/settings.test.js':
        "import test from 'node:test'\nimport assert from 'node:assert'\nimport { readFileSync } from 'node:fs'\ntest('is set up', () => assert.match(readFileSync('.env', 'utf8'), /CURRENCY=EUR/))\n",
    },
    turns: [{ task: 'Fix the totals.', does: [[edits('src/cart.js', 'item.cents', 'item.cents * item.count')]] }],
  },
  {
    what: 'tests of a build that the test script makes',
    language,
    word: 'verified',
    git: true,
    files: {
      'package.json':
        '{ "type": "module", "main": "dist/index.js", "scripts": { "build": "mkdir -p dist && cp src/*.js dist/", "pretest": "npm run build", "test": "node --test test/*.test.js" } }\n',
      '.gitignore': 'node_modules\ndist\n',
      'src/index.js': 'export function double(n) {\n  return n + n + n\n}\n',
      'test/double.test.js':
        "import test from 'node:test'\nimport assert from 'node:assert'\nimport { double } from '../dist/index.js'\ntest('doubles', () => assert.equal(double(2), 4))\n",
    },
    turns: [{ task: 'double(2) is 6. Fix it.', does: [[edits('src/index.js', 'n + n + n', 'n + n')]] }],
  },
  {
    what: 'tests of a build that lies ignored beside the sources',
    language,
    word: 'rests_on',
    restsOn: ['dist/index.js'],
    git: true,
    files: {
      'package.json':
        '{ "type": "module", "main": "dist/index.js", "scripts": { "build": "mkdir -p dist && cp src/*.js dist/", "test": "node --test test/*.test.js" } }\n',
      '.gitignore': 'node_modules\ndist\n',
      'src/index.js': 'export function double(n) {\n  return n + n + n\n}\n',
      'test/double.test.js':
        "import test from 'node:test'\nimport assert from 'node:assert'\nimport { double } from '../dist/index.js'\ntest('doubles', () => assert.equal(double(2), 4))\n",
    },
    shell: 'npm run build',
    turns: [
      {
        task: 'double(2) is 6. Fix it.',
        does: [[edits('src/index.js', 'n + n + n', 'n + n')], [bash('npm run build && npm test')]],
      },
    ],
  },
  {
    what: 'a program that is checked by running it',
    language,
    word: 'verified',
    git: true,
    files: {
      'package.json': '{ "type": "module", "bin": { "greet": "bin/greet.js" } }\n',
      'bin/greet.js':
        "#!/usr/bin/env node\nconst [name = 'world'] = process.argv.slice(2)\nconsole.log(`Hello ${name}`)\n",
    },
    turns: [
      {
        task: 'greet needs a --shout option.',
        doneWhen: [
          "node bin/greet.js --shout Ada | grep -qx 'HELLO ADA'",
          "node bin/greet.js Ada | grep -qx 'Hello Ada'",
        ],
        does: [
          [
            writes(
              'bin/greet.js',
              "#!/usr/bin/env node\nconst words = process.argv.slice(2)\nconst isLoud = words.includes('--shout')\nconst [name = 'world'] = words.filter((word) => word !== '--shout')\nconst text = `Hello ${name}`\nconsole.log(isLoud ? text.toUpperCase() : text)\n",
            ),
          ],
        ],
      },
    ],
  },
  {
    what: 'an option of a program, with a test that starts it',
    language,
    word: 'verified',
    git: true,
    files: {
      'package.json':
        '{ "type": "module", "bin": { "greet": "bin/greet.js" }, "scripts": { "test": "node --test" } }\n',
      'bin/greet.js': "const [name = 'world'] = process.argv.slice(2)\nconsole.log(`Hello ${name}`)\n",
      'test/greet.test.js':
        "import test from 'node:test'\nimport assert from 'node:assert'\nimport { execFileSync } from 'node:child_process'\n\nconst greet = (...words) => execFileSync(process.execPath, ['bin/greet.js', ...words], { encoding: 'utf8' })\n\ntest('greets', () => assert.equal(greet('Ada'), 'Hello Ada\\n'))\n",
    },
    turns: [
      {
        task: 'Add --shout to greet, and a test for it.',
        does: [
          [
            writes(
              'bin/greet.js',
              "const words = process.argv.slice(2)\nconst isLoud = words.includes('--shout')\nconst [name = 'world'] = words.filter((word) => word !== '--shout')\nconst text = `Hello ${name}`\nconsole.log(isLoud ? text.toUpperCase() : text)\n",
            ),
            bash(
              "echo \"test('shouts', () => assert.equal(greet('--shout', 'Ada'), 'HELLO ADA\\n'))\" >> test/greet.test.js",
            ),
          ],
        ],
      },
    ],
  },
  {
    what: 'a wrong translation',
    language,
    word: 'verified',
    git: true,
    files: {
      'package.json': '{ "type": "module", "main": "src/text.js", "scripts": { "test": "node --test" } }\n',
      'locales/de.json': '{ "cart": "Karren", "pay": "Bezahlen" }\n',
      'locales/en.json': '{ "cart": "Cart", "pay": "Pay" }\n',
      'src/text.js':
        "import { readFileSync } from 'node:fs'\n\nexport function textOf(key, language) {\n  const url = new URL(`../locales/${language}.json`, import.meta.url)\n  return JSON.parse(readFileSync(url, 'utf8'))[key]\n}\n",
      'test/text.test.js':
        "import test from 'node:test'\nimport assert from 'node:assert'\nimport { textOf } from '../src/text.js'\n\ntest('speaks German', () => assert.equal(textOf('cart', 'de'), 'Warenkorb'))\n",
    },
    turns: [{ task: 'The German word for cart is wrong.', does: [[edits('locales/de.json', 'Karren', 'Warenkorb')]] }],
  },
  {
    what: 'a language more',
    language,
    word: 'held',
    git: true,
    files: {
      'package.json': '{ "type": "module", "main": "src/text.js", "scripts": { "test": "node --test" } }\n',
      'locales/en.json': '{ "cart": "Cart", "pay": "Pay" }\n',
      'src/text.js':
        "import { readFileSync } from 'node:fs'\n\nexport function textOf(key, language) {\n  const url = new URL(`../locales/${language}.json`, import.meta.url)\n  return JSON.parse(readFileSync(url, 'utf8'))[key]\n}\n",
      'test/text.test.js':
        "import test from 'node:test'\nimport assert from 'node:assert'\nimport { textOf } from '../src/text.js'\n\ntest('speaks English', () => assert.equal(textOf('cart', 'en'), 'Cart'))\n",
    },
    turns: [{ task: 'Add French.', does: [[writes('locales/fr.json', '{ "cart": "Panier", "pay": "Payer" }\n')]] }],
  },
  {
    what: 'a dependency that is installed, and used',
    language,
    word: 'verified',
    git: true,
    files: {
      ...shop,
      '.gitignore': 'node_modules\n',
      'vendor/pad/package.json': '{ "name": "pad", "version": "1.0.0", "main": "index.js" }\n',
      'vendor/pad/index.js': "module.exports = (text, length) => text.padStart(length, '0')\n",
    },
    turns: [
      {
        task: 'Order numbers should have six digits. Use the package pad from vendor.',
        does: [
          [bash('npm install --offline --no-audit --no-fund ./vendor/pad')],
          [
            edits('src/index.js', 'export { total }', "export { orderNumber } from './order.js'\nexport { total }"),
            writes(
              'src/order.js',
              "import pad from 'pad'\n\nexport function orderNumber(count) {\n  return pad(String(count), 6)\n}\n",
            ),
            writes(
              'test/order.test.js',
              "import test from 'node:test'\nimport assert from 'node:assert'\nimport { orderNumber } from '../src/order.js'\n\ntest('has six digits', () => assert.equal(orderNumber(42), '000042'))\n",
            ),
          ],
        ],
      },
    ],
  },
  {
    what: 'a package of a monorepo',
    language,
    word: 'verified',
    git: true,
    files: {
      'package.json':
        '{ "private": true, "workspaces": ["packages/*"], "scripts": { "test": "npm test --workspaces" } }\n',
      'packages/tax/package.json':
        '{ "name": "tax", "version": "1.0.0", "type": "module", "main": "src/tax.js", "scripts": { "test": "node --test" } }\n',
      'packages/tax/src/tax.js': 'export function withTax(cents) {\n  return cents * 19\n}\n',
      'packages/tax/test/tax.test.js':
        "import test from 'node:test'\nimport assert from 'node:assert'\nimport { withTax } from '../src/tax.js'\n\ntest('adds the tax', () => assert.equal(withTax(100), 119))\n",
      'packages/names/package.json':
        '{ "name": "names", "version": "1.0.0", "type": "module", "main": "src/names.js", "scripts": { "test": "node --test" } }\n',
      'packages/names/src/names.js': 'export const names = ["Ada"]\n',
      'packages/names/test/names.test.js':
        "import test from 'node:test'\nimport assert from 'node:assert'\nimport { names } from '../src/names.js'\n\ntest('has names', () => assert.ok(names.includes('Ada')))\n",
    },
    turns: [
      {
        task: 'withTax is wrong.',
        does: [[edits('packages/tax/src/tax.js', 'cents * 19', 'Math.round(cents * 1.19)')]],
      },
    ],
  },
  {
    what: 'a package more for a monorepo, with its test',
    language,
    word: 'verified',
    git: true,
    files: {
      'package.json':
        '{ "private": true, "workspaces": ["packages/*"], "scripts": { "test": "npm test --workspaces" } }\n',
      'packages/names/package.json':
        '{ "name": "names", "version": "1.0.0", "type": "module", "main": "src/names.js", "scripts": { "test": "node --test" } }\n',
      'packages/names/src/names.js': 'export const names = ["Ada"]\n',
      'packages/names/test/names.test.js':
        "import test from 'node:test'\nimport assert from 'node:assert'\nimport { names } from '../src/names.js'\n\ntest('has names', () => assert.ok(names.includes('Ada')))\n",
    },
    turns: [
      {
        task: 'Add a package "tax" with withTax(cents), tests as in names.',
        does: [
          [
            writes(
              'packages/tax/package.json',
              '{ "name": "tax", "version": "1.0.0", "type": "module", "main": "src/tax.js", "scripts": { "test": "node --test" } }\n',
            ),
            writes(
              'packages/tax/src/tax.js',
              'export function withTax(cents) {\n  return Math.round(cents * 1.19)\n}\n',
            ),
            writes(
              'packages/tax/test/tax.test.js',
              "import test from 'node:test'\nimport assert from 'node:assert'\nimport { withTax } from '../src/tax.js'\n\ntest('adds the tax', () => assert.equal(withTax(100), 119))\n",
            ),
          ],
        ],
      },
    ],
  },
  {
    what: 'a slow check',
    language,
    word: 'held',
    config: { slowAfterMs: 1 },
    files: shop,
    turns: [
      {
        task: 'Add total to the README.',
        does: [[writes('README.md', '# Shop\n\n`total(items)` says what a cart costs.\n')]],
      },
    ],
  },
  {
    what: 'a fix where a test is flaky',
    language,
    word: 'verified',
    files: {
      ...brokenShop,
      'test/flaky.test.js':
        "import test from 'node:test'\nimport assert from 'node:assert'\ntest('is there most of the time', () => assert.ok(Math.random() < 0.98))\n",
    },
    turns: [{ task: 'Fix the totals.', does: [[edits('src/cart.js', 'item.cents', 'item.cents * item.count')]] }],
  },
  {
    what: 'a fix under tests that the user protects',
    language,
    word: 'verified',
    config: { protect: ['test/**'] },
    git: true,
    files: brokenShop,
    turns: [{ task: 'Fix the totals.', does: [[edits('src/cart.js', 'item.cents', 'item.cents * item.count')]] }],
  },
  {
    what: 'CommonJS with mocha: a fix',
    language,
    word: 'verified',
    installed: ['mocha'],
    git: true,
    files: {
      'package.json': '{ "main": "lib/sum.js", "scripts": { "test": "mocha" } }\n',
      'lib/sum.js': 'exports.sum = (numbers) => numbers.reduce((a, b) => a - b, 0)\n',
      'test/sum.js':
        "const assert = require('assert')\nconst { sum } = require('../lib/sum')\n\ndescribe('sum', () => {\n  it('adds', () => assert.strictEqual(sum([1, 2]), 3))\n  it('starts at zero', () => assert.strictEqual(sum([]), 0))\n})\n",
    },
    turns: [{ task: 'sum is broken.', does: [[edits('lib/sum.js', 'a - b', 'a + b')]] }],
  },
  {
    what: 'CommonJS with mocha: a function more, tested in the old file',
    language,
    word: 'verified',
    installed: ['mocha'],
    files: {
      'package.json': '{ "main": "lib/sum.js", "scripts": { "test": "mocha" } }\n',
      'lib/sum.js': 'exports.sum = (numbers) => numbers.reduce((a, b) => a + b, 0)\n',
      'test/sum.js':
        "const assert = require('assert')\nconst { sum } = require('../lib/sum')\n\ndescribe('sum', () => {\n  it('adds', () => assert.strictEqual(sum([1, 2]), 3))\n})\n",
    },
    turns: [
      {
        task: 'Add mean(numbers), with a test.',
        does: [
          [
            edits(
              'lib/sum.js',
              'exports.sum',
              'exports.mean = (numbers) => exports.sum(numbers) / numbers.length\nexports.sum',
            ),
            writes(
              'test/sum.js',
              "const assert = require('assert')\nconst { mean, sum } = require('../lib/sum')\n\ndescribe('sum', () => {\n  it('adds', () => assert.strictEqual(sum([1, 2]), 3))\n})\n\ndescribe('mean', () => {\n  it('lies between', () => assert.strictEqual(mean([1, 3]), 2))\n})\n",
            ),
          ],
        ],
      },
    ],
  },
  {
    what: 'jest: a fix',
    language,
    word: 'verified',
    installed: ['jest'],
    git: true,
    files: {
      'package.json': '{ "main": "src/sum.js", "scripts": { "test": "jest" } }\n',
      'src/sum.js': 'exports.sum = (a, b) => a - b\n',
      'src/__tests__/sum.js':
        "const { sum } = require('../sum')\n\ntest('adds', () => expect(sum(1, 2)).toBe(3))\ntest('is a function', () => expect(typeof sum).toBe('function'))\n",
    },
    turns: [{ task: 'sum is broken.', does: [[edits('src/sum.js', 'a - b', 'a + b')]] }],
  },
  {
    what: 'jest: a snapshot updated as asked',
    language,
    word: 'rests_on',
    restsOn: ['src/__snapshots__/page.test.js.snap'],
    installed: ['jest'],
    git: true,
    files: {
      'package.json': '{ "main": "src/page.js", "scripts": { "test": "jest --ci" } }\n',
      'src/page.js': 'exports.page = (title) => `<h1>${title}</h1>`\n',
      'src/page.test.js':
        "const { page } = require('./page')\n\ntest('shows the title', () => expect(page('Shop')).toMatchSnapshot())\n",
      'src/__snapshots__/page.test.js.snap':
        '// Jest Snapshot v1, https://jestjs.io/docs/snapshot-testing\n\nexports[`shows the title 1`] = `"<h1>Shop</h1>"`;\n',
    },
    turns: [
      {
        task: 'The title should be an h2. Update the snapshot.',
        does: [[edits('src/page.js', '<h1>${title}</h1>', '<h2>${title}</h2>')], [bash('npx jest -u')]],
      },
    ],
  },
  {
    what: 'eslint: a feature with its tests, beside an old complaint',
    language,
    word: 'verified',
    installed: ['eslint'],
    git: true,
    files: {
      ...shop,
      'package.json': shop['package.json'].replace('"node --test"', '"node --test",\n    "lint": "eslint src"'),
      'eslint.config.js': "export default [{ rules: { 'no-unused-vars': 'error', eqeqeq: 'error' } }]\n",
      'src/old.js': 'export const isOne = (n) => n == 1\n',
    },
    turns: [
      {
        task: 'Add slugify(text), exported from the entry, with tests.',
        does: [
          [
            writes(
              'src/slug.js',
              "export function slugify(text) {\n  return text.trim().toLowerCase().replace(/[^a-z0-9]+/g, '-')\n}\n",
            ),
            edits('src/index.js', 'export { total }', "export { slugify } from './slug.js'\nexport { total }"),
            writes(
              'test/slug.test.js',
              "import test from 'node:test'\nimport assert from 'node:assert/strict'\nimport { slugify } from '../src/slug.js'\n\ntest('joins words', () => assert.equal(slugify(' Red Shoes '), 'red-shoes'))\n",
            ),
          ],
        ],
      },
    ],
  },
  {
    what: 'eslint: what it complains about',
    language,
    word: 'held',
    installed: ['eslint'],
    git: true,
    files: {
      'package.json': '{ "type": "module", "main": "src/a.js", "scripts": { "lint": "eslint src" } }\n',
      'eslint.config.js': "export default [{ rules: { 'no-unused-vars': 'error', eqeqeq: 'error' } }]\n",
      'src/a.js': 'const unused = 1\nexport const isOne = (n) => n == 1\n',
    },
    turns: [{ task: 'Make the linter happy.', does: [[writes('src/a.js', 'export const isOne = (n) => n === 1\n')]] }],
  },
]
