import { lstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ChildVariables } from '../processes/child-variables.ts'

/** The folder with the `.git` that a real path belongs to. */
export function repositoryAbove(path: string): string | undefined {
  for (let folder = path; ; folder = dirname(folder)) {
    if (lstatSync(join(folder, '.git'), { throwIfNoEntry: false }) !== undefined) return folder
    if (dirname(folder) === folder) return undefined
  }
}

/**
 * Settings that make git run programs, by what their names look like. A repository can come from a stranger, and with it
 * its settings; those on the command line, or in these variables, count more.
 */
const runsPrograms =
  /^((filter|diff|merge|gpg|trailer|credential|remote|difftool|mergetool|pager|alias)\..*\.)(clean|smudge|process|command|textconv|driver|program|cmd|helper|uploadpack|receivepack|vcs|defaultkeycommand)$/i
const requiresFilter = /^filter\..*\.required$/i

/** Nothing can be started under this path. */
const nothing = '/dev/null/none'

const always: readonly (readonly [string, string])[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', nothing],
  ['core.pager', 'cat'],
  ['core.editor', nothing],
  ['core.askPass', nothing],
  ['core.sshCommand', nothing],
  ['core.gitProxy', nothing],
  ['core.alternateRefsCommand', nothing],
  ['core.quotePath', 'false'],
  ['credential.helper', ''],
  ['diff.external', ''],
  ['diff.autoRefreshIndex', 'false'],
  ['diff.submodule', 'short'],
  ['diff.ignoreSubmodules', 'dirty'],
  ['status.submoduleSummary', 'false'],
  ['submodule.recurse', 'false'],
  ['gpg.program', nothing],
  ['gpg.openpgp.program', nothing],
  ['gpg.x509.program', nothing],
  ['gpg.ssh.program', nothing],
  ['log.showSignature', 'false'],
  ['log.diffMerges', 'separate'],
  ['safe.bareRepository', 'explicit'],
  ['color.ui', 'false'],
  ['column.ui', 'never'],
]

/** The environment in which git reads one repository and runs nothing that the settings of the repository name. */
export function harmlessVariables(
  variables: ChildVariables,
  repository: string,
  settings: readonly string[] = [],
): ChildVariables {
  const own = Object.entries(variables).filter(([name]) => !/^GIT_/i.test(name))
  const overrides = [...always, ...settings.flatMap(disarmed)]
  return {
    ...Object.fromEntries(own),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: 'cat',
    GIT_ADVICE: '0',
    GIT_NO_LAZY_FETCH: '1',
    // No protocol has this name, so nothing is ever fetched.
    GIT_ALLOW_PROTOCOL: 'none',
    // The settings of a repository could point at any other folder of the machine.
    GIT_WORK_TREE: repository,
    GIT_CEILING_DIRECTORIES: dirname(repository),
    GIT_CONFIG_COUNT: `${overrides.length}`,
    ...Object.fromEntries(
      overrides.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  }
}

function disarmed(setting: string): [string, string][] {
  if (requiresFilter.test(setting)) return [[setting, 'false']]
  return runsPrograms.test(setting) ? [[setting, '']] : []
}
