import { expect, test } from 'vitest'
import { mendingLine, type System } from '../../src/walls/mending.ts'

const linux: System = { platform: 'linux', families: '', inContainer: false, restrictsNamespaces: false }

test.each([
  ['Ubuntu without bubblewrap', { ...linux, families: 'ubuntu debian' }, 'missing', 'sudo apt-get install bubblewrap'],
  ['Fedora without bubblewrap', { ...linux, families: 'fedora' }, 'missing', 'sudo dnf install bubblewrap'],
  ['Alpine without bubblewrap', { ...linux, families: 'alpine' }, 'missing', 'sudo apk add bubblewrap'],
  ['a Linux that is not known, without bubblewrap', { ...linux, families: 'void' }, 'missing', undefined],
  [
    'Ubuntu 24.04, which forbids namespaces',
    { ...linux, families: 'ubuntu debian', restrictsNamespaces: true },
    'forbidden',
    'sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0',
  ],
  ['a container', { ...linux, inContainer: true, restrictsNamespaces: true }, 'forbidden', /^docker run .*seccomp=/],
  ['a kernel that was told to forbid namespaces', linux, 'forbidden', /user\.max_user_namespaces/],
  ['Windows', { ...linux, platform: 'win32' }, 'missing', 'wsl --install'],
  ['macOS', { ...linux, platform: 'darwin' }, 'missing', undefined],
] as const)('what helps on %s', (_, system, obstacle, line) => {
  const found = mendingLine(system, obstacle)
  if (line instanceof RegExp) expect(found).toMatch(line)
  else expect(found).toBe(line)
})
