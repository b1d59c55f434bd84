/**
 * The options allowed for an action; all others are refused, so that none can write a file, run a program, or read
 * outside of the repository. Git accepts unique prefixes of long options; here they must be written out.
 */
export interface ActionOptions {
  /** Options without a value. */
  readonly flags: ReadonlySet<string>
  /** Options with an optional value after `=`, never as the next argument. */
  readonly optional: ReadonlySet<string>
  /** Options with a value, after `=` or as the next argument. */
  readonly valued: ReadonlySet<string>
  /** Short options with an attached value. */
  readonly attached?: RegExp
  /** Placed before the arguments, to make the action read-only. */
  readonly before: readonly string[]
}

export const gitActions = ['branch', 'diff', 'log', 'rev-parse', 'show', 'status', 'blame', 'ls-files'] as const
export type GitAction = (typeof gitActions)[number]

const words = (text: string): string[] => text.trim().split(/\s+/)

const diffFlags = words(`
  -p -u --patch -s --no-patch --shortstat --numstat --summary --name-only --name-status --raw --compact-summary
  --patch-with-stat --minimal --patience --histogram -w -b --ignore-all-space --ignore-space-change
  --ignore-space-at-eol --ignore-blank-lines --ignore-cr-at-eol --no-color --no-renames -M -C --full-index -R
  --no-prefix --text -a -W --function-context -z --pickaxe-regex --pickaxe-all --no-ext-diff --no-textconv`)
const diffOptional = words(
  '--stat --dirstat --word-diff --color-words --find-renames --find-copies --abbrev --relative',
)
const diffValued = words('--unified -U --diff-filter --diff-algorithm --inter-hunk-context -S -G')
const diffAttached = String.raw`-U\d+|-[SG].+|-[MC]\d+%?`

const commitFlags = words(`
  --oneline --abbrev-commit --no-abbrev-commit --decorate --no-decorate --no-notes --parents -m -c --cc --first-parent
  --source`)
const commitOptional = words('--pretty --decorate --format --date')
const noPrograms = ['--no-ext-diff', '--no-textconv']

export const optionsOf: Readonly<Record<GitAction, ActionOptions>> = {
  branch: {
    flags: new Set(
      words('-a --all -r --remotes -v -vv --verbose -l --list --show-current -i --ignore-case --no-abbrev'),
    ),
    optional: new Set(['--abbrev']),
    valued: new Set(words('--sort --contains --no-contains --merged --no-merged --points-at --format')),
    before: ['--list'],
  },
  diff: {
    flags: new Set([...diffFlags, ...words('--cached --staged --merge-base --base --ours --theirs')]),
    optional: new Set(diffOptional),
    valued: new Set(diffValued),
    attached: new RegExp(`^(${diffAttached})$`),
    before: [...noPrograms, '--ignore-submodules=dirty'],
  },
  log: {
    flags: new Set([
      ...diffFlags,
      ...commitFlags,
      ...words(`
        --graph --all --branches --tags --remotes --merges --no-merges --reverse --follow --full-history --topo-order
        --date-order --author-date-order -i --regexp-ignore-case -E --extended-regexp -F --fixed-strings --all-match
        --invert-grep --left-right --cherry-pick --cherry-mark --cherry --boundary --simplify-by-decoration
        --walk-reflogs -g --no-walk --full-diff --children`),
    ]),
    optional: new Set([
      ...diffOptional,
      ...commitOptional,
      ...words('--branches --tags --remotes --min-parents --max-parents'),
    ]),
    valued: new Set([
      ...diffValued,
      ...words(`
        -n --max-count --skip --since --after --until --before --author --committer --grep -L --glob --exclude --decorate-refs --decorate-refs-exclude`),
    ]),
    attached: new RegExp(`^(${diffAttached}|-n?\\d+|-L.+)$`),
    before: noPrograms,
  },
  show: {
    flags: new Set([...diffFlags, ...commitFlags]),
    optional: new Set([...diffOptional, ...commitOptional]),
    valued: new Set(diffValued),
    attached: new RegExp(`^(${diffAttached})$`),
    before: noPrograms,
  },
  status: {
    flags: new Set(
      words('-s --short -b --branch -sb --long --show-stash --ahead-behind --no-ahead-behind -z --no-renames'),
    ),
    optional: new Set(words('--porcelain --untracked-files -u --ignored --find-renames')),
    valued: new Set(),
    attached: /^-u(no|normal|all)$/,
    before: ['--ignore-submodules=dirty'],
  },
  blame: {
    flags: new Set(
      words(`
        -w -l -s -e --show-email -t -f --show-name -n --show-number -M -C -p --porcelain --line-porcelain --root
        --first-parent --no-textconv`),
    ),
    optional: new Set(words('--abbrev --date')),
    valued: new Set(words('-L --ignore-rev --since')),
    attached: /^-(L.+|[MC]\d+)$/,
    before: ['--no-textconv'],
  },
  'rev-parse': {
    flags: new Set(
      words(`
        --show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir --git-common-dir --is-inside-work-tree
        --is-inside-git-dir --is-bare-repository --is-shallow-repository --verify -q --quiet --symbolic
        --symbolic-full-name --all --branches --tags --remotes`),
    ),
    optional: new Set(words('--abbrev-ref --short')),
    valued: new Set(),
    before: [],
  },
  'ls-files': {
    flags: new Set(
      words(`
        -c --cached -d --deleted -m --modified -o --others -i --ignored -s --stage -u --unmerged --directory
        --no-empty-directory --eol --exclude-standard --full-name --error-unmatch --deduplicate -z -t`),
    ),
    optional: new Set(['--abbrev']),
    valued: new Set(words('-x --exclude')),
    before: [],
  },
}
