import type { Reach } from '@loader/session-core/coding'
import { expect, test } from 'vitest'
import { KeptOutput } from '../../src/processes/kept-output.ts'
import type { EndedWalledCommand } from '../../src/walls/walls.ts'
import { withheldNotes } from '../../src/walls/withheld.ts'

function ended(printed: string, exitCode: number): EndedWalledCommand {
  const output = new KeptOutput({ headBytes: 1000, tailBytes: 1000 })
  output.add(Buffer.from(printed))
  return {
    ending: { how: 'exited', exitCode },
    output,
    durationMs: 1,
    containment: { kind: 'group', why: '' },
    leftRunning: false,
    secretsReplaced: 0,
    walls: { kind: 'bubblewrap', guarantees: [] },
    setAside: [],
    layered: [],
  }
}

const notes = (printed: string, reach: Reach = 'work', exitCode = 1) => withheldNotes(ended(printed, exitCode), reach)

const failures = [
  'Error: connect ECONNREFUSED 127.0.0.1:5432',
  'npm error code EAI_AGAIN',
  'curl: (6) Could not resolve host: example.com',
  "curl: (7) Failed to connect to 127.0.0.1 port 9 after 0 ms: Couldn't connect to server",
  'wget: unable to resolve host address ‘example.com’',
  'psql: error: connection to server at "localhost" (127.0.0.1), port 5432 failed: Connection refused',
  'socket.gaierror: [Errno -3] Temporary failure in name resolution',
  'dial tcp: lookup proxy.example.com: no such host',
  'connect: network is unreachable',
  'java.net.UnknownHostException: repo.example.com',
  'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?',
  'page.goto: net::ERR_NAME_NOT_RESOLVED at https://example.com/',
  'ssh: connect to host example.com port 22: No route to host',
  "Err:1 http://deb.example.com stable InRelease Temporary failure resolving 'deb.example.com'",
]

test.each(failures)('that a command failed without a network is told with how to ask for it: %s', (printed) => {
  expect(notes(printed)).toEqual([expect.stringMatching(/reach network/)])
  expect(notes(printed, 'look')).toEqual([expect.stringMatching(/reach network/)])
  expect(notes(printed, 'network')).toEqual([])
  expect(notes(printed, 'work', 0)).toEqual([])
})

test.each(['1 test failed', "Cannot find module './network'", 'TypeError: x is not a function', ''])(
  'what has nothing to do with the network says nothing of it: %s',
  (printed) => {
    expect(notes(printed)).toEqual([])
  },
)

test('a failed write says which reach it takes', () => {
  expect(notes('touch: cannot touch x: Read-only file system', 'look')).toEqual([expect.stringMatching(/reach work/)])
  expect(notes('touch: cannot touch x: Read-only file system')).toEqual([expect.stringMatching(/reach open/)])
})

test('a folder that cannot be renamed is said to hold something', () => {
  const printed = "mv: cannot move 'packages/a' to 'packages/b': Device or resource busy"
  expect(notes(printed)).toEqual([expect.stringMatching(/installed packages or a guarded path/)])
  expect(notes(printed, 'work', 0)).toEqual([])
})

test.each([
  ['ssh-agent', 'git@example.com: Permission denied (publickey).'],
  ['ssh-agent', 'Host key verification failed.\nfatal: Could not read from remote repository.'],
  ['gpg-agent', 'error: gpg failed to sign the data\nfatal: failed to write commit object'],
  ['git-credentials', "fatal: could not read Username for 'https://example.com': No such device or address"],
  ['npm-auth', 'npm error code ENEEDAUTH\nnpm error need auth This command requires you to be logged in'],
] as const)('what needs %s says which setting lends it, until it is lent: %s', (lent, printed) => {
  const setting = expect.stringContaining(`"walls": { "lend": ["${lent}"] }`)
  for (const reach of ['work', 'network'] as const) expect(notes(printed, reach)).toContainEqual(setting)
  expect(notes(printed, 'network', 0)).toEqual([])
  expect(withheldNotes({ ...ended(printed, 1), lent: [lent] }, 'network')).toEqual([])
  expect(withheldNotes({ ...ended(printed, 1), lent: [lent] }, 'work')).toContainEqual(
    expect.stringMatching(/with reach network only/),
  )
})
