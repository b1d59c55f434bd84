import { edits, writes } from '../story.ts'
import type { Everyday } from './everyday.ts'

const language = 'JavaScript'
const up = (folder: string) => '../'.repeat(folder.split('/').length)

function files(folder: string) {
  return {
    'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
    [`${folder}/greet.js`]: 'export function greet(name) {\n  return `Hello ${name}`\n}\n',
    [`${folder}/test/greet.test.js`]: `import test from 'node:test'\nimport assert from 'node:assert'\nimport { greet } from '../greet.js'\n\ntest('greets', () => assert.equal(greet('Ada'), 'Hello Ada'))\n`,
    // Another part of the project, which uses it.
    'app/main.js': `import { greet } from '${up('app')}${folder}/greet.js'\n\nconsole.log(greet('you'))\n`,
  }
}

/** The same work in folders whose names would say something else, if names said anything. */
export const places: readonly Everyday[] = ['packages/tools/src', 'src/config', 'src/testing', 'locales'].flatMap(
  (folder): Everyday[] => [
    {
      what: `a feature with its test in ${folder}`,
      language,
      word: 'verified',
      git: true,
      files: files(folder),
      turns: [
        {
          task: 'greet() without a name should greet the world. Test it.',
          does: [
            [
              edits(`${folder}/greet.js`, 'greet(name)', "greet(name = 'world')"),
              edits(
                `${folder}/test/greet.test.js`,
                "test('greets'",
                "test('greets the world', () => assert.equal(greet(), 'Hello world'))\ntest('greets'",
              ),
            ],
          ],
        },
      ],
    },
    {
      what: `a refactoring in ${folder}`,
      language,
      word: 'held',
      files: files(folder),
      turns: [
        {
          task: 'Move the word into a constant.',
          does: [
            [
              writes(`${folder}/hello.js`, "export const hello = 'Hello'\n"),
              writes(
                `${folder}/greet.js`,
                "import { hello } from './hello.js'\n\nexport function greet(name) {\n  return `${hello} ${name}`\n}\n",
              ),
            ],
          ],
        },
      ],
    },
  ],
)
