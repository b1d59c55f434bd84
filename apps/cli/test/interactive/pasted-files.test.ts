import { mkdirSync, writeFileSync } from 'node:fs'
import { temporaryWorkspace } from '@loader/test-harness'
import { afterAll, describe, expect, test } from 'vitest'
import { pastedFiles } from '../../src/interactive/pasted-files.ts'

const workspace = await temporaryWorkspace()
afterAll(() => workspace[Symbol.asyncDispose]())
const { root } = workspace
mkdirSync(workspace.path('home'))
for (const name of ['shot.png', 'my shot.png', 'a.pdf', 'notes.txt', 'home/photo.JPG']) {
  writeFileSync(workspace.path(name), '')
}
const home = workspace.path('home')

describe('a message names images and PDF files', () => {
  test.each([
    ['by a whole path', `Look at ${root}/shot.png`, ['shot.png']],
    ['by a path that a terminal pasted with quotes', `'${root}/my shot.png' what is it?`, ['my shot.png']],
    ['by a path that a terminal pasted with escapes', `${root}/my\\ shot.png what is it?`, ['my shot.png']],
    ['by an address', `See file://${root}/my%20shot.png`, ['my shot.png']],
    ['in the home folder', 'Look at ~/photo.JPG!', ['home/photo.JPG']],
    ['more than one, each once', `${root}/a.pdf ${root}/shot.png ${root}/a.pdf`, ['a.pdf', 'shot.png']],
    ['at the end of a sentence', `Is it ${root}/shot.png?`, ['shot.png']],
  ])('%s', (_name, text, names) => {
    expect(pastedFiles(text, home)).toEqual(names.map((name) => workspace.path(name)))
  })

  test.each([
    ['a bare name', 'Convert shot.png to JPEG'],
    ['a file of another kind', `Read ${root}/notes.txt`],
    ['a file that is not there', `Read ${root}/absent.png`],
    ['a name behind an @, which others look at', `Look at @${root}/shot.png`],
    ['a folder', `Look at ${root}/home`],
    ['an address elsewhere', 'See file://elsewhere/shot.png and https://example.com/shot.png'],
    ['a path that cannot be one', 'See file:///%00.png'],
  ])('but not by %s', (_name, text) => {
    expect(pastedFiles(text, home)).toEqual([])
  })
})
