import { join } from 'node:path'
import { namesIn, statsOf } from './entries.ts'
import type { Mount } from './mount.ts'

/** What can be lent to a command with the network. Keys of agents cannot be read through them; the others can. */
export type Lent = 'ssh-agent' | 'gpg-agent' | 'git-credentials' | 'npm-auth'

export interface Loan {
  readonly mounts: readonly Mount[]
  readonly variables: Readonly<Record<string, string>>
}

const agentSocket = '/run/loader-ssh-agent'

export function loansOf(
  lend: readonly Lent[],
  home: string,
  variables: Readonly<Record<string, string | undefined>>,
): Loan {
  const loans = lend.map((each) => loanOf(each, home, variables))
  return {
    mounts: loans.flatMap(({ mounts }) => mounts),
    variables: Object.assign({}, ...loans.map((loan) => loan.variables)),
  }
}

function loanOf(lent: Lent, home: string, variables: Readonly<Record<string, string | undefined>>): Loan {
  switch (lent) {
    case 'ssh-agent': {
      const socket = variables['SSH_AUTH_SOCK']
      const public_ = namesIn(join(home, '.ssh')).filter((name) => name.endsWith('.pub'))
      const files = ['config', 'known_hosts', ...public_].map((name) => join(home, '.ssh', name))
      if (socket === undefined || statsOf(socket)?.isSocket() !== true) return letIn(files)
      const agent = { kind: 'placed' as const, path: agentSocket, from: socket, access: 'readonly' as const }
      return { mounts: [...letIn(files).mounts, agent], variables: { SSH_AUTH_SOCK: agentSocket } }
    }
    case 'gpg-agent': {
      const uid = process.getuid?.() ?? 0
      const sockets = [join(home, '.gnupg/S.gpg-agent'), `/run/user/${uid}/gnupg/S.gpg-agent`]
      const keyring = ['pubring.kbx', 'pubring.gpg', 'trustdb.gpg', 'gpg.conf'].map((name) =>
        join(home, '.gnupg', name),
      )
      return letIn([...sockets, ...keyring])
    }
    case 'git-credentials':
      return letIn([join(home, '.git-credentials'), join(home, '.config/git/credentials')])
    case 'npm-auth':
      return letIn([join(home, '.npmrc')])
    default:
      return lent satisfies never
  }
}

function letIn(paths: readonly string[]): Loan {
  const there = paths.filter((path) => statsOf(path) !== undefined)
  return { mounts: there.map((path) => ({ kind: 'readonly', path })), variables: {} }
}
