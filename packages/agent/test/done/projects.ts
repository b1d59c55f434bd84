/** Small projects with a bug that a test knows, in three languages. */
export const javascript = {
  files: {
    'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
    'src/sum.js': 'export function sum(a, b) {\n  return a - b\n}\n',
    'test/sum.test.js': `import test from 'node:test'
import assert from 'node:assert'
import { sum } from '../src/sum.js'

test('adds', () => assert.equal(sum(1, 2), 3))
test('is a function', () => assert.equal(typeof sum, 'function'))
`,
  },
  fixed: 'export function sum(a, b) {\n  return a + b\n}\n',
} as const

export const typescript = {
  files: {
    'package.json': '{ "type": "module", "scripts": { "test": "vitest run", "typecheck": "tsc --noEmit" } }\n',
    'tsconfig.json':
      '{ "compilerOptions": { "strict": true, "module": "nodenext", "target": "es2022", "types": [], "skipLibCheck": true }, "include": ["src"] }\n',
    'vitest.config.ts':
      "import { defineConfig } from 'vitest/config'\nexport default defineConfig({ test: { include: ['src/**/*.test.ts'] } })\n",
    'src/sum.ts': 'export function sum(a: number, b: number): number {\n  return a - b\n}\n',
    'src/sum.test.ts': `import { expect, test } from 'vitest'
import { sum } from './sum.js'

test('adds', () => expect(sum(1, 2)).toBe(3))
test('is a function', () => expect(typeof sum).toBe('function'))
`,
  },
  fixed: 'export function sum(a: number, b: number): number {\n  return a + b\n}\n',
} as const

export const python = {
  files: {
    'pyproject.toml': '[project]\nname = "calc"\nversion = "1"\n\n[tool.pytest.ini_options]\npythonpath = ["."]\n',
    'calc/__init__.py': '',
    'calc/core.py': 'def add(a, b):\n    return a - b\n',
    'tests/test_core.py':
      'from calc.core import add\n\n\ndef test_adds():\n    assert add(1, 2) == 3\n\n\ndef test_is_a_function():\n    assert callable(add)\n',
  },
  fixed: 'def add(a, b):\n    return a + b\n',
} as const
