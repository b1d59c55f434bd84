import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Stage } from '../e2e/stage/stage.ts'
import { plainGit } from '../written/plain-git.ts'

const files = {
  'sum.js': 'console.log(((a, b) => a - b)(1, 2))\n',
  'dos.txt': 'one\r\ntwo\r\n',
  'data.bin': 'abc\n',
  'kept.log': 'tracked and ignored\n',
  '.gitattributes': '*.txt text eol=crlf\n*.bin filter=shout\n',
  '.gitignore': 'dist/\n.env\n*.log\n',
  // Passes where the sum is right and every file came as it is, byte for byte, with its bits.
  'check.sh': [
    'set -e',
    'node sum.js | grep -qx 3',
    'grep -qx new new.txt && grep -q Mend note.txt',
    `test "$(od -An -c dos.txt | tr -d ' \\n')" = 'one\\r\\ntwo\\r\\n'`,
    'grep -qx abc data.bin',
    'test -x run.sh && test ! -x sum.js',
    'test "$(readlink link)" = sum.js',
    "grep -q 'tracked and ignored' kept.log",
    'test -z "$(git status --porcelain kept.log data.bin dos.txt run.sh link)"',
    '',
  ].join('\n'),
}

/** A project with all that is strange about files, perhaps with a remote that has its first commit. */
export function strangeProject({ project }: Stage, kind: 'with a remote' | 'without a remote'): void {
  const at = (path: string) => join(project, path)
  const git = (...words: readonly string[]) => plainGit(project, words)
  for (const [path, text] of Object.entries(files)) writeFileSync(at(path), text)
  writeFileSync(at('run.sh'), '#!/bin/sh\n')
  chmodSync(at('run.sh'), 0o755)
  symlinkSync('sum.js', at('link'))
  git('init', '-q', '-b', 'main')
  git('config', 'filter.shout.clean', 'tr a-z A-Z')
  git('config', 'filter.shout.smudge', 'tr A-Z a-z')
  git('add', '-A')
  git('add', '-f', 'kept.log')
  git('commit', '-q', '-m', 'first')
  if (kind === 'with a remote') {
    const remote = join(project, '..', 'remote.git')
    git('clone', '-q', '--bare', project, remote)
    git('remote', 'add', 'origin', remote)
    git('fetch', '-q', 'origin')
  }
  // None of these is in a tree.
  for (const [path, text] of [
    ['dist/out.js', 'built\n'],
    ['.env', 'TOKEN=x\n'],
    ['nested/inside', 'inside\n'],
  ] as const) {
    mkdirSync(dirname(at(path)), { recursive: true })
    writeFileSync(at(path), text)
  }
  plainGit(at('nested'), ['init', '-q'])
  writeFileSync(at('large'), '')
  truncateSync(at('large'), 200 * 1024 ** 2)
}
