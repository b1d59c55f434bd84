import { expect, test } from 'vitest'
import { keyedFile } from '../../src/trials/keys-of.ts'

const steering = (path: string, one: string, other: string) =>
  keyedFile(path)
    ?.differing(one, other)
    ?.map(({ key, steersChecks }) => [key, steersChecks])

test.for<[string, string, string, readonly (readonly [string, boolean])[] | undefined]>([
  [
    'package.json',
    '{ "version": "1" }',
    '{ "version": "2", "dependencies": {} }',
    [
      ['dependencies', false],
      ['version', false],
    ],
  ],
  [
    'package.json',
    '{ "scripts": { "test": "a" } }',
    '{ "scripts": { "test": "b" }, "jest": {} }',
    [
      ['jest', true],
      ['scripts', true],
    ],
  ],
  ['package.json', '{ "name": "a" }', '{"name":"a"}', []],
  ['package.json', '{', '{}', undefined],
  ['pyproject.toml', '[project]\nname = "a"\n', '[project]\nname = "a"\ndependencies = ["b"]\n', [['project', false]]],
  [
    'pyproject.toml',
    '[tool.pytest.ini_options]\na = 1\n',
    '[tool.pytest.ini_options]\na = 2\n',
    [['tool.pytest.ini_options', true]],
  ],
  ['tsconfig.json', '{}', '{ "a": 1 }', undefined],
])('in %s from %j to %j', ([path, one, other, expected]) => {
  expect(steering(path, one, other)).toEqual(expected)
})

test('a manifest has the scripts of one tree and everything else of another', () => {
  const now = '{ "scripts": { "test": "true" }, "dependencies": { "b": "1" } }'
  const before = '{ "scripts": { "test": "node --test" }, "jest": {} }'
  const mixed = keyedFile('package.json')?.mixed(now, before, ['scripts', 'jest']) ?? ''
  expect(JSON.parse(mixed)).toEqual({ scripts: { test: 'node --test' }, jest: {}, dependencies: { b: '1' } })
})
