import { describe, expect, test } from 'vitest'
import { inventoryChanges } from '../../src/trees/inventory-changes.ts'
import type { Inventory } from '../../src/trees/inventory.ts'
import { packagesOf } from '../../src/trials/packages-of.ts'

const plain = '100000:'
const link = '120111:'

function inventory(
  files: Readonly<Record<string, string>>,
  packages: Readonly<Record<string, string>> = {},
): Inventory {
  return {
    files: new Map(Object.entries(files).map(([path, content]) => [path, { version: content, content }])),
    packages: new Map(Object.entries(packages)),
    nested: new Map(),
  }
}

const changes = (from: Inventory, to: Inventory) =>
  packagesOf(inventoryChanges(from, to)).map(({ name, change }) => `${name} ${change}`)

const pad = { 'node_modules/pad/package.json': `${plain}a`, 'node_modules/pad/index.js': `${plain}b` }
const named = { 'node_modules/pad': 'pad@1.0.0' }
const notes = { 'node_modules/.package-lock.json': `${plain}n` }

describe('what installing does to packages of Node', () => {
  test('is one change for a package, whatever lies in it', () => {
    expect(changes(inventory({}), inventory(pad, named))).toEqual(['pad added'])
    expect(changes(inventory(pad, named), inventory({}))).toEqual(['pad removed'])
  })

  test('takes programs, links and notes of installers with it', () => {
    const more = { ...pad, ...notes, 'node_modules/.bin/pad': `${plain}p`, 'node_modules/own': `${link}o` }
    expect(changes(inventory({}), inventory(more, named))).toEqual([
      'node_modules/.bin/pad added',
      'node_modules/.package-lock.json added',
      'node_modules/own added',
      'pad added',
    ])
    const later = { ...more, 'node_modules/.package-lock.json': `${plain}other` }
    expect(changes(inventory(more, named), inventory(later, named))).toEqual([
      'node_modules/.package-lock.json version',
    ])
  })

  test('is not what edits a package, a program or a link, or puts a file where a package would be looked for', () => {
    const old = { ...pad, 'node_modules/.bin/pad': `${plain}p`, 'node_modules/own': `${link}o` }
    const edited = {
      'node_modules/pad/index.js': `${plain}other`,
      'node_modules/.bin/pad': `${plain}other`,
      'node_modules/own': `${link}other`,
      'node_modules/vitest.js': `${plain}v`,
      'node_modules/.bin/deep/er.js': `${plain}d`,
    }
    expect(changes(inventory(old, named), inventory({ ...old, ...edited }, named))).toEqual([
      'node_modules/.bin/deep/er.js edited',
      'node_modules/.bin/pad edited',
      'node_modules/own edited',
      'node_modules/vitest.js edited',
      'pad edited',
    ])
  })
})

describe('what installing does to packages of Python', () => {
  const site = '.venv/lib/python3/site-packages/'
  const requests = { [`${site}requests/api.py`]: `${plain}a`, [`${site}requests-2.0.dist-info/RECORD`]: `${plain}r` }
  const dist = { [`${site}requests-2.0.dist-info`]: 'requests@2.0' }
  const other = { [`${site}other/core.py`]: `${plain}o`, [`${site}pytest/main.py`]: `${plain}m` }

  test('is one change for a package, although its files lie beside what names it', () => {
    expect(changes(inventory(other), inventory({ ...other, ...requests }, dist))).toEqual(['requests added'])
    expect(changes(inventory({ ...other, ...requests }, dist), inventory(other))).toEqual(['requests removed'])
  })

  test('has a package of another version, and modules that have other names than their package', () => {
    const newer = {
      [`${site}requests/api.py`]: `${plain}new`,
      [`${site}requests_more.py`]: `${plain}more`,
      [`${site}requests-3.0.dist-info/RECORD`]: `${plain}r`,
    }
    const to = inventory({ ...other, ...newer }, { [`${site}requests-3.0.dist-info`]: 'requests@3.0' })
    expect(changes(inventory({ ...other, ...requests }, dist), to)).toEqual(['requests added'])
  })

  test('is not what edits a package that stays, also beside one that comes', () => {
    const edited = { ...other, [`${site}pytest/main.py`]: `${plain}fake`, [`${site}pytest/more.py`]: `${plain}x` }
    expect(changes(inventory(other), inventory({ ...edited, ...requests }, dist))).toEqual([
      `${site}pytest/main.py edited`,
      `${site}pytest/more.py edited`,
      'requests added',
    ])
    expect(changes(inventory(other), inventory(edited))).toHaveLength(2)
    const hidden = { ...other, [`${site}evil.pth`]: `${plain}e`, [`${site}sitecustomize.py`]: `${plain}s` }
    expect(changes(inventory(other), inventory({ ...hidden, ...requests }, dist))).toEqual([
      `${site}evil.pth edited`,
      `${site}sitecustomize.py edited`,
      'requests added',
    ])
  })
})
