import { describe, expect, test } from 'vitest'
import { divide } from '../../src/walls/beneath.ts'
import type { Mount } from '../../src/walls/mount.ts'

const stands = { emptyFile: '/s/made/empty', deadSocket: '/s/made/socket' }
const host = [
  { path: '/', options: ['rw', 'relatime'] },
  { path: '/home', options: ['rw', 'nosuid', 'nodev', 'relatime'] },
]
const root: Mount = { kind: 'writable', path: '/home/me/project' }
const within = (name: string) => `${root.path}/${name}`

const divided = (mounts: readonly Mount[], below: Partial<Parameters<typeof divide>[1]> = {}) =>
  divide(mounts, { host, overlaid: [], used: [], stands, ...below })

describe('what is mounted before bubblewrap', () => {
  test('lies within what bubblewrap mounts where it is, parents first, with the options that the kernel has locked', () => {
    const parent: Mount = { kind: 'writable', path: within('.git') }
    const guard: Mount = { kind: 'guarded', path: within('.git/hooks') }
    const mask: Mount = { kind: 'masked', path: '/etc/shadow' }
    expect(divided([mask, root, parent, guard])).toEqual({
      table: [
        '/s/made/empty /etc/shadow none bind,ro 0 0\n',
        `${parent.path} ${parent.path} none rbind 0 0\n`,
        `${guard.path} ${guard.path} none bind,ro,nosuid,nodev 0 0\n`,
      ].join(''),
      over: [root],
    })
  })

  const guard: Mount = { kind: 'guarded', path: within('.vscode') }
  test.each<[why: string, mounts: readonly Mount[], below?: Partial<Parameters<typeof divide>[1]>]>([
    ['something else lies there', [{ kind: 'empty', path: '/home' }, guard]],
    ['what lies there comes from elsewhere', [{ ...root, kind: 'placed', from: '/x', access: 'writable' }, guard]],
    ['something is mounted over it later', [root, guard, { kind: 'empty', path: root.path }]],
    [
      'it is writable within what is not',
      [
        { kind: 'guarded', path: root.path },
        { ...guard, kind: 'writable' },
      ],
    ],
    ['it is writable within the machine', [{ ...guard, kind: 'writable' }]],
    ['it is mounted on the machine', [root, guard], { host: [...host, { path: guard.path, options: ['rw'] }] }],
    ['it holds a mount', [root, guard], { host: [...host, { path: `${guard.path}/a`, options: ['rw'] }] }],
    ['an overlay would hide it', [root, guard], { overlaid: [root.path] }],
    ['it holds an overlay', [root, guard], { overlaid: [`${guard.path}/a`] }],
    ['layers within it are written', [root, guard], { used: [`${guard.path}/a`] }],
    ['a table cannot say it', [root, { kind: 'guarded', path: within('a b') }]],
  ])('is nothing where %s', (_, mounts, below) => {
    expect(divided(mounts, below ?? {})).toEqual({ table: '', over: mounts })
  })

  test('are seals that lie over the folder itself, which have lines of their own', () => {
    const seal: Mount = { kind: 'sealed', path: '/opt', from: '/opt' }
    const other: Mount = { kind: 'sealed', path: '/srv', from: '/s/made/sealed-1' }
    const mask: Mount = { kind: 'masked', path: '/opt/secret' }
    expect(divided([seal, other, mask])).toEqual({
      table: '/s/made/empty /opt/secret none bind,ro 0 0\n',
      over: [other],
    })
  })
})
