import type { Reach } from '@loader/session-core/coding'
import type { Lent } from './lending.ts'
import type { EndedWalledCommand, SetAside } from './walls.ts'

/**
 * What the walls kept from a command, in a sentence each, and how to ask for it. What was set aside is certain; that a
 * failure was caused by the walls is inferred from the output, and is only advice.
 */
export function withheldNotes(ended: EndedWalledCommand, reach: Reach): readonly string[] {
  const { setAside, layered, walls } = ended
  return [
    ...setAside.map(asideNote),
    ...(layered.length === 0
      ? []
      : [`Changes to ${layered.join(', ')} hold for this session only. Installing packages takes reach network.`]),
    ...(walls.kind === 'none' ? [] : failureNotes(ended, reach)),
  ]
}

/** What became of something that a command left at a guarded path. */
export function asideNote(aside: SetAside): string {
  const { path } = aside
  const isGuarded = `${path} is guarded, because other programs run what is there.`
  switch (aside.became) {
    case 'kept':
    case 'dropped':
      return `${isGuarded} What the command left there was set aside. To change it for good, call again with reach open, and say why.`
    case 'stuck':
      return `${isGuarded} What the command left there could not be set aside (${aside.why}). Tell the user. It is tried again after the next command.`
    default:
      return aside satisfies never
  }
}

const noNetwork = new RegExp(
  [
    'could not resolve|unable to (?:resolve|look ?up)|failed to lookup address|temporary failure (?:in name resolution|resolving)',
    'name or service not known|no such host|unknown ?host|getaddrinfo|EAI_AGAIN|ENOTFOUND|dns error|NAME_NOT_RESOLVED',
    'ENETUNREACH|EHOSTUNREACH|network is unreachable|no route to host|INTERNET_DISCONNECTED|FailedToOpenSocket',
    'ECONNREFUSED|connection ?refused|(?:could ?n.t|failed to|cannot|unable to) connect to|ConnectException',
  ].join('|'),
  'i',
)
const readOnly = /read-only file system|EROFS|os error 30/i
/** Error texts for renaming a mount. */
const pinned = /device or resource busy|EBUSY|resource busy or locked|os error 16\b/i

/** Error texts of programs that lack something which the user can lend. */
const misses: readonly (readonly [Lent, RegExp])[] = [
  [
    'ssh-agent',
    /permission denied \([^)]*publickey|host key verification failed|connection to your authentication agent/i,
  ],
  ['gpg-agent', /gpg failed to sign|gpg: (?:signing failed|skipped .*no secret key|no default secret key)/i],
  ['git-credentials', /could not read (?:username|password) for|terminal prompts disabled|authentication failed for/i],
  ['npm-auth', /\bENEEDAUTH\b|\bcode E401\b|requires you to be logged in/i],
]

function lendingNotes(printed: string, lent: readonly Lent[], reach: Reach): readonly string[] {
  return misses
    .filter(([what, words]) => words.test(printed) && (reach !== 'network' || !lent.includes(what)))
    .map(([what]) =>
      lent.includes(what)
        ? `Commands get ${what} with reach network only. Call again with it, and say why.`
        : `It wants ${what}, which commands do not get. The user can lend it to those with reach network, by the setting "walls": { "lend": ["${what}"] }. Tell the user.`,
    )
}

function failureNotes({ ending, output, lent = [] }: EndedWalledCommand, reach: Reach): readonly string[] {
  if (ending.how === 'exited' && ending.exitCode === 0) return []
  const printed = output.text()
  const notes: string[] = [...lendingNotes(printed, lent, reach)]
  if (reach !== 'network' && noNetwork.test(printed)) {
    notes.push(
      'There is no network here, and no service of this machine. If the command needs them, call again with reach network, and say why.',
    )
  }
  if (reach !== 'look' && pinned.test(printed)) {
    notes.push(
      'A folder that holds installed packages or a guarded path cannot be renamed or removed. If that is needed, call again with reach open, and say why.',
    )
  }
  if (!readOnly.test(printed)) return notes
  notes.push(
    reach === 'look'
      ? 'It was taken for a command that only looks, so nothing could be written. Call again with reach work.'
      : 'What it tried to write lies outside the workspace or is guarded. If that is needed, call again with reach open, and say why.',
  )
  return notes
}
