import type { ProcessOptions } from './process-options.ts'

/**
 * Variables that commands of a model do not get, in any case of letters: what holds a credential by its name, and whole
 * families whose members are credentials or lead to some. Addresses of agents and proxies stay: they are no secrets.
 */
const credentialEndings = [
  'API_?KEYS?',
  'AUTH',
  'AUTH_?TOKEN',
  'CREDENTIALS?',
  'KEY',
  'PASSPHRASE',
  'PASSWD',
  'PASSWORD',
  'PAT',
  'PWD',
  'SECRET',
  'SECRETS',
  'TOKEN',
]
const credentialFamilies = ['ANTHROPIC', 'AWS', 'AZURE', 'GEMINI', 'OPENAI', 'OPENROUTER', 'VAULT']
const credentialNames = [
  'ACTIONS_ID_TOKEN_REQUEST_URL',
  'APIKEY',
  'DOCKER_AUTH_CONFIG',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'PASSWORD',
  'PGPASSFILE',
  'PGPASSWORD',
  'SECRET',
  'TOKEN',
]
const credential = new RegExp(
  `^(${credentialNames.join('|')}|(${credentialFamilies.join('|')})_.*|.*[_:](${credentialEndings.join('|')}))$`,
  'i',
)

/** Programs that would ask in a window, and settings that only make sense where somebody looks on. */
const unattended = /^(GIT_ASKPASS|SSH_ASKPASS|SUDO_ASKPASS|GPG_TTY|FORCE_COLOR|CLICOLOR_FORCE)$/

/** Nobody is at a terminal: what would page, edit or prompt ends at once instead of waiting. */
const nobodyThere: Readonly<Record<string, string>> = {
  DEBIAN_FRONTEND: 'noninteractive',
  EDITOR: 'false',
  GIT_EDITOR: 'false',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  MANPAGER: 'cat',
  PAGER: 'cat',
  SSH_ASKPASS_REQUIRE: 'never',
  SYSTEMD_PAGER: 'cat',
  TERM: 'dumb',
  VISUAL: 'false',
}

export type Variables = Readonly<Record<string, string>>

/** Whether a variable of this name is kept from commands. */
export function isCredential(name: string): boolean {
  return credential.test(name)
}

/** The environment of a command. */
export function childVariables({ variables = process.env, passVariables = [] }: ProcessOptions): Variables {
  const passed = new Set(passVariables)
  const kept = Object.entries(variables).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (passed.has(entry[0]) || (!isCredential(entry[0]) && !unattended.test(entry[0]))),
  )
  return { ...Object.fromEntries(kept), ...nobodyThere }
}
