/** Options of what compares, without those that write a file or run a program that the project chose. */
const comparing = `
  -puszRWwbaDmctr -B? -M? -C? -U= -l= -S= -G= --patch --no-patch --unified? --raw --patch-with-raw --patch-with-stat --minimal
  --patience --histogram --diff-algorithm= --indent-heuristic --stat? --stat-width= --stat-count= --compact-summary --numstat
  --shortstat --dirstat? --summary --name-only --name-status --submodule? --color? --no-color --color-moved? --no-color-moved
  --word-diff? --word-diff-regex= --color-words? --no-renames --rename-empty --check --full-index --binary --abbrev?
  --break-rewrites? --find-renames? --find-copies? --find-copies-harder --diff-filter= --pickaxe-all --pickaxe-regex
  --find-object= --text --ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change --ignore-all-space
  --ignore-blank-lines --inter-hunk-context= --function-context --exit-code --quiet --no-ext-diff --no-textconv
  --ignore-submodules? --src-prefix= --dst-prefix= --no-prefix --line-prefix= --relative? --no-relative --cached --staged
  --merge-base --no-index --root --cc`

const choosing = `
  -iEFPgv -# -n= -L= --oneline --graph --all --branches? --tags? --remotes? --glob= --exclude= --max-count= --skip= --since=
  --after= --until= --before= --author= --committer= --grep= --grep-reflog= --all-match --invert-grep
  --regexp-ignore-case --basic-regexp --extended-regexp --fixed-strings --perl-regexp --merges --no-merges --min-parents=
  --max-parents= --first-parent --not --reflog --walk-reflogs --merge --boundary --cherry --cherry-pick --cherry-mark
  --left-right --left-only --right-only --ancestry-path? --full-history --simplify-merges --simplify-by-decoration --dense
  --sparse --show-pulls --date-order --author-date-order --topo-order --reverse --follow --no-follow --pretty? --format=
  --abbrev-commit --no-abbrev-commit --encoding= --expand-tabs? --notes? --no-notes --date= --parents --children --decorate?
  --no-decorate --decorate-refs= --decorate-refs-exclude= --source --mailmap --use-mailmap --full-diff --log-size --no-walk?
  --relative-date --count --objects --header --timestamp`

const listing = `--sort= --format= --contains= --no-contains= --points-at= --color? --no-color --column? --no-column --ignore-case`

/** Subcommands of git that only look, with the options under which they do. */
export const lookingAtGit: Readonly<Record<string, string>> = {
  blame: `-bclstewfnphCM -L= --root --show-stats --porcelain --line-porcelain --incremental --date= --since= --reverse
    --color-lines --color-by-age --ignore-rev= --ignore-revs-file= --abbrev= --minimal --show-name --show-number --show-email
    --first-parent`,
  branch: `-arvil --all --remotes --verbose --list --show-current --merged? --no-merged? --abbrev? --no-abbrev ${listing}`,
  'cat-file': '-ptse --batch? --batch-check? --buffer --follow-symlinks --unordered --batch-all-objects',
  'check-attr': '-az --all --cached --stdin',
  'check-ignore': '-qvzn --quiet --verbose --non-matching --no-index --stdin',
  cherry: '-v --abbrev?',
  'count-objects': '-vH --verbose --human-readable',
  describe: `--all --tags --long --always --dirty? --broken? --abbrev= --candidates= --exact-match --contains --match= --exclude=
    --first-parent --debug`,
  diff: `${comparing} -1 -2 -3 -0 --base --ours --theirs`,
  'diff-files': comparing,
  'diff-index': comparing,
  'diff-tree': `${comparing} ${choosing} -t --stdin --no-commit-id`,
  'for-each-ref':
    '--count= --merged? --no-merged? --exclude= --omit-empty --stdin --shell --perl --python --tcl ' + listing,
  grep: `-ivwnhHlLcopWqEFPGaIrz -e= -f= -A= -B= -C= -m= -# --and --or --not --cached --no-index --untracked --line-number --column
    --files-with-matches --files-without-match --name-only --count --heading --break --only-matching --show-function
    --function-context --all-match --quiet --max-depth= --recursive --no-recursive --recurse-submodules --threads= --color?
    --no-color --fixed-strings --extended-regexp --basic-regexp --perl-regexp --ignore-case --word-regexp --invert-match
    --full-name --text --max-count= --after-context= --before-context= --context= --exclude-standard --no-exclude-standard --null`,
  log: `${comparing} ${choosing}`,
  'ls-files': `-cdmoiskutvfz -x= -X= --cached --deleted --modified --others --ignored --stage --killed --unmerged --directory
    --no-empty-directory --eol --deduplicate --exclude= --exclude-from= --exclude-per-directory= --exclude-standard
    --error-unmatch --with-tree= --full-name --recurse-submodules --abbrev? --debug --format=`,
  'ls-tree': '-drtlz --long --name-only --name-status --object-only --full-name --full-tree --abbrev? --format=',
  'merge-base': '-a --all --octopus --independent --is-ancestor --fork-point',
  'name-rev': '--tags --refs= --exclude= --all --name-only --no-undefined --always --annotate-stdin',
  'range-diff': `${comparing} --creation-factor= --no-dual-color --left-only --right-only`,
  'rev-list': `${comparing} ${choosing} --use-bitmap-index --disk-usage? --objects-edge --unpacked --no-object-names`,
  'rev-parse': `-q --abbrev-ref? --absolute-git-dir --all --bare --branches? --default= --disambiguate= --end-of-options --exclude=
    --flags --git-common-dir --git-dir --git-path= --glob= --is-bare-repository --is-inside-git-dir --is-inside-work-tree
    --is-shallow-repository --local-env-vars --no-flags --no-revs --not --path-format= --prefix= --quiet --remotes? --revs-only
    --shared-index-path --short? --show-cdup --show-object-format? --show-prefix --show-ref-format
    --show-superproject-working-tree --show-toplevel --since= --symbolic --symbolic-full-name --tags? --until= --verify`,
  shortlog: `${choosing} -nsec -w? --numbered --summary --email --group= --committer`,
  show: `${comparing} ${choosing}`,
  'show-branch':
    '-ar -g? --all --remotes --list --more= --current --topo-order --date-order --independent --merge-base --no-name --sha1-name --topics --reflog? --color? --no-color',
  'show-ref':
    '-dqs --head --heads --branches --tags --dereference --hash? --verify --abbrev? --quiet --exists --exclude-existing?',
  status: `-sbvz -u? --short --branch --show-stash --porcelain? --long --verbose --untracked-files? --ignored?
    --ignore-submodules? --column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames?`,
  tag: `-il -n? --list --merged? --no-merged? ${listing}`,
  var: '-l',
  version: '--build-options',
  whatchanged: `${comparing} ${choosing}`,
}
