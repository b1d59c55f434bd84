import { type CallFacts, knownPath, pathsOf } from './permit-call.ts'
import { isObject, textsIn } from './input-summary.ts'
import { namedPaths, namedWords } from './named-paths.ts'
import { globMatches } from './rules/glob.ts'
import type { KnownPath } from './rules/path-pattern.ts'
import { worst } from './shell/level.ts'
import type { ShellWord } from './shell/shell-word.ts'

/** What no rule and no mode can lift. */
export interface Guard {
  readonly permit: 'deny' | 'ask'
  readonly reason: string
}

/** A call that must not run, whatever the rules say; otherwise one that somebody has to be asked about. */
export function guardOf(facts: CallFacts): Guard | undefined {
  const text = textsIn(facts.input).find((one) => one.includes(replacementMark))
  if (text !== undefined) {
    return denied(
      `the input contains ${replacementMark}…], which stands for a secret that was removed; it is not the secret`,
    )
  }
  const ruin = facts.findings.find(({ level }) => level === 'ruin')
  if (ruin !== undefined) return denied(`${ruin.part}: ${ruin.why}`)
  if (names(facts, '.loader', privateFolder)) return denied('.loader/ belongs to the runtime; no tool touches it')
  const sweep = facts.findings.find(({ sweeps }) => sweeps)
  if (sweep !== undefined) return denied(`${sweep.part} takes .loader/ away, which belongs to the runtime`)
  if (touchesGit(facts)) return asked('what is in .git can run programs later')
  const secret = secretOf(facts)
  return secret === undefined ? undefined : asked(`${secret} looks like a place where secrets are kept`)
}

/** How a removed secret begins in what the model is shown. */
const replacementMark = '[secret:'

const denied = (reason: string): Guard => ({ permit: 'deny', reason })
const asked = (reason: string): Guard => ({ permit: 'ask', reason })

const before = String.raw`(?:^|[\s/\\'"=:,(\x60{}|&;<>@[])`
const after = String.raw`(?=$|[\s/\\'"=:,)\x60{}|&;<>*?[\]])`
const privateFolder = new RegExp(String.raw`${before}\.loader${after}`, 'i')
const gitFolder = new RegExp(String.raw`${before}\.git${after}`, 'i')
const gitPrograms = /(?:^|[^\w.])\.git[\\/]+(?:.*[\\/])?(?:hooks(?:$|[\\/'"\s])|config(?:\.worktree)?(?:$|['"\s]))/i

/** Whether a call is about a folder of this name, by its paths or by anything that a command says. */
function names(facts: CallFacts, folder: string, pattern: RegExp): boolean {
  if (callPaths(facts).some((path) => segments(path).some((segment) => segment.toLowerCase() === folder))) return true
  if (facts.shell === undefined) return false
  const { reading, command } = facts.shell
  if (namedWords(reading).some((word) => pattern.test(word.value) || globReaches(word, folder))) return true
  return facts.findings.some(({ hides }) => hides) && pattern.test(command)
}

/** A path in the workspace counts from its root: the workspace itself may lie in a folder of that name. */
function callPaths(facts: CallFacts): string[] {
  return [...pathsOf(facts), ...patternsOf(facts)].map(({ relative, absolute }) => relative ?? absolute ?? '')
}

/** Globs that tools take are paths with holes. */
function patternsOf({ name, input, root, tools }: CallFacts): KnownPath[] {
  if (!isObject(input)) return []
  const keys = tools.get(name)?.rule?.globs ?? []
  return keys.flatMap((key) => {
    const value = input[key]
    return typeof value === 'string' ? [knownPath(value, root)] : []
  })
}

function segments(path: string): string[] {
  return path.split(/[\\/]+/)
}

/** Whether a glob of a command could become a path with this name in it. */
function globReaches({ kind, value }: ShellWord, folder: string): boolean {
  if (kind !== 'glob') return false
  return segments(value).some((segment) => /^[.[]/.test(segment) && globMatches(segment.toLowerCase(), folder))
}

function touchesGit(facts: CallFacts): boolean {
  if (callPaths(facts).some((path) => gitPrograms.test(path))) return true
  if (facts.shell === undefined) return false
  const { reading } = facts.shell
  if (namedPaths(reading).some((path) => gitPrograms.test(path))) return true
  if (worst(facts.findings.map(({ level }) => level)) === 'probe') return false
  return namedWords(reading).some((word) => gitFolder.test(word.value) || globReaches(word, '.git'))
}

/** Folders and files that hold keys wherever they are. */
const secretNames =
  /(?:^|[\\/"'=])(?:\.ssh|\.aws|\.gnupg|\.azure|\.kube|\.netrc|_netrc|\.pgpass|\.git-credentials|id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|\.vault-token|\.password-store|\.mozilla|keychains|login\.keychain(?:-db)?)(?:$|[\\/"'])/i
const keyFolders = ['.ssh', '.aws', '.gnupg', '.azure', '.kube', '.netrc', '.git-credentials']
/** Others that hold keys when they are the user's own. */
const ownSecrets =
  /(?:^|[\\/])(?:\.npmrc|\.yarnrc(?:\.yml)?|\.pypirc|\.my\.cnf|\.docker[\\/]config\.json|\.config[\\/](?:gh|gcloud|hub|op|doctl|rclone|netlify|configstore)|\.cargo[\\/]credentials(?:\.toml)?|\.gem[\\/]credentials|\.terraform\.d|\.terraformrc|\.bash_history|\.zsh_history|\.env(?:\.[\w.-]+)?|credentials(?:\.json)?)(?:$|[\\/])/i
const systemSecrets =
  /^\/(?:etc\/(?:g?shadow-?|sudoers(?:\.d)?|ssl\/private|ssh\/ssh_host\w*)|proc\/[^/]+\/(?:environ|mem|fd))(?:$|\/)/i

/** A place outside the workspace that looks as if it held keys. */
function secretOf(facts: CallFacts): string | undefined {
  const away = facts.paths.filter(({ inside }) => !inside).map(({ path }) => path)
  const said = facts.hint === undefined ? [] : [facts.hint]
  const words = facts.shell === undefined ? [] : namedPaths(facts.shell.reading)
  const wanders = facts.shell?.reading.commands.some(({ judgement }) => judgement.wanders) ?? false
  const hidden =
    facts.shell && namedWords(facts.shell.reading).find((word) => keyFolders.some((name) => globReaches(word, name)))
  if (hidden !== undefined) return hidden.text
  for (const path of [...away, ...said, ...words]) {
    const { relative } = knownPath(path, facts.root)
    const isAway = relative === undefined || wanders || /^(?:~|\$\{?HOME)/.test(path)
    const isSecret = isAway ? [secretNames, ownSecrets, systemSecrets] : facts.shell === undefined ? [] : [secretNames]
    if (isSecret.some((pattern) => pattern.test(path))) return path
  }
  return undefined
}
