import { inPython, table } from './hostile.ts'

const config = `printf '[core]\\n\\tfsmonitor = "{SPRING} ;"\\n'`
const script = String.raw`printf '#!/bin/sh\n{SPRING}\n'`
const evilGit = (path: string) =>
  `mkdir -p ${path}/objects ${path}/refs/heads; echo 'ref: refs/heads/main' > ${path}/HEAD; ${config} > ${path}/config`
/** Two commits that a rebase has to merge, and a rebase that has stopped before it does. */
const stoppedRebase = String.raw`for n in a b c; do echo $n > $n; git add $n; git commit -qm $n; done; printf '%s\n' 'c=$(sed -n "s/^pick \([0-9a-f]*\) c$/\1/p" "$1")' 'printf "break\npick $c\n" > "$1"' > /tmp/todo; GIT_SEQUENCE_EDITOR='sh /tmp/todo' git rebase -qi HEAD~2`
const goesOn = 'GIT_EDITOR=true git rebase --continue'

/** They are after what looks at the workspace when they have ended: the runtime, and then the git of the user. */
export const settled = [
  ...table('staying in unusual repositories', {
    'the workspace itself becomes one': {
      run: `rm -rf .git/HEAD; mkdir -p objects refs/heads; echo 'ref: refs/heads/main' > HEAD; printf '[remote "origin"]\\n\\turl = {ROOT}\\n\\tuploadpack = "{SPRING};"\\n' > config`,
      afterwards: 'git fetch',
    },
    'a folder whose name is no text': {
      run: `d=$(printf 'x\\377'); git init -q $d/in/r; ${config} >> $d/in/r/.git/config`,
      afterwards: 'for d in * */in */in/r; do (cd "$d" && git status); done',
    },
    'the same, shut': {
      run: `d=$(printf 'x\\377'); git init -q $d/in/r; ${config} >> $d/in/r/.git/config; chmod 100 $d/in; chmod 0 $d`,
      afterwards: 'for d in * */in */in/r; do chmod 755 "$d"; (cd "$d" && git status); done',
    },
    'a common folder that is no repository by itself': {
      run: `mkdir -p y/objects y/refs/heads y/worktrees/w l; ${config} > y/config; echo 'ref: refs/heads/main' > y/worktrees/w/HEAD; echo ../.. > y/worktrees/w/commondir; echo {ROOT}/l/.git > y/worktrees/w/gitdir; echo 'gitdir: ../y/worktrees/w' > l/.git`,
      afterwards: 'cd l && git status',
    },
    'one among the objects, named with many line ends': {
      run: `${evilGit('.git/objects/evil')}; mkdir l; printf 'gitdir: ../.git/objects/evil\\n\\r\\n\\n' > l/.git`,
      afterwards: 'cd l && git status',
    },
    'made in two commands': {
      run: [
        `mkdir -p late/.git; ${config} > late/.git/config; mkdir -p bare; ${config} > bare/config; echo 'ref: refs/heads/main' > bare/HEAD`,
        `mkdir -p late/.git/objects late/.git/refs bare/objects bare/refs; echo 'ref: refs/heads/main' > late/.git/HEAD; mkdir l; echo 'gitdir: ../bare' > l/.git`,
      ],
      afterwards: 'cd late && git status; cd ../l && git status',
    },
    'a clone that is changed by the next command': {
      run: [
        'git clone -q . c; git init -q --bare b.git',
        `git -C c config core.fsmonitor "{SPRING} ;"; mv c c2; cp -r c2 c; ${config} >> c/.git/config; mv c/.git c/g; cp -r c/g c/.git; ${config} >> c/.git/config; ${script} > c/.git/hooks/post-commit; chmod +x c/.git/hooks/*; mv b.git b2; cp -r b2 b.git; ${config} >> b.git/config`,
      ],
      afterwards: 'cd c && git status && git commit -qm x --allow-empty; git status',
    },
    'settings that are spelled in strange ways': {
      run: String.raw`for n in 1 2 3 4; do git init -q n$n; done; printf '[core]fsmonitor="{SPRING} ;"' >> n1/.git/config; printf '[CoRe]\r\n\tFSMonitor = \\\r\n  "{SPRING} \\\r\n ;" # x\r\n' >> n2/.git/config; printf '\xef\xbb\xbf[core]\nfsmonitor={SPRING}\n' > n3/.git/config; printf '[user] name = "\n[core]\n" fsmonitor = {SPRING} ;\n[user] name = \\\n[core]\nfsmonitor = {SPRING}' >> n4/.git/config`,
      afterwards: 'for n in 1 2 3 4; do git -C n$n status; done',
    },
    'settings that name the work tree and the remote': {
      run: `git init -q n; cd n; git config core.worktree {HOME}; git remote add origin "ext::{SPRING}"; cd ..; git init -q m; git -C m remote add origin {ROOT}; git -C m config remote.origin.uploadpack "{SPRING};"; git -C m config remote.origin.vcs evil`,
      afterwards:
        'cd n && git fetch; test "$(git rev-parse --show-toplevel)" = {HOME} && {SPRING}; cd ../m && git fetch',
    },
    'pipes and folders in the places of files': {
      run: `mkdir -p y .git/rebase-merge .git/modules/q z/.git r/config; mkfifo y/commondir y/HEAD .git/rebase-merge/git-rebase-todo .git/modules/q/HEAD .git/modules/q/commondir z/.git/config; mkfifo .git/config.worktree; mkdir .git/commondir; echo x > .envrc; ${evilGit('w')}; mkdir l; echo 'gitdir: ../w' > l/.git`,
      afterwards: 'cd l && git status',
    },
    'the modules are a link into the workspace': {
      run: `rm -rf .git/worktrees; ${evilGit('mods/new')}; ln -s ../mods .git/worktrees; ln -s ../../mods/new .git/modules/new; mkdir l; echo 'gitdir: ../.git/modules/new' > l/.git; ${config} > mods/new/config`,
      afterwards: 'cd l && git status; git submodule update --init; git status',
    },
    'a submodule that waits for its update': {
      run: `${evilGit('.git/modules/new')}; printf '[submodule "new"]\\n\\tpath = new\\n\\turl = {ROOT}\\n' > .gitmodules; git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),new; mkdir -p new`,
      afterwards: 'git -c protocol.file.allow=always submodule update --init new; cd new && git status',
    },
    'a long name that cannot be kept': {
      run: `n=$(printf 'w%.0s' $(seq 255)); mkdir -p .git/worktrees/$n; echo 'ref: refs/heads/main' > .git/worktrees/$n/HEAD; echo ../../../e > .git/worktrees/$n/commondir; echo {ROOT}/../x/.git > .git/worktrees/$n/gitdir; ${evilGit('e')}; echo {SPRING} > .envrc; mkdir l; echo "gitdir: ../.git/worktrees/$n" > l/.git`,
      afterwards: 'cd l && git status; cd ../e && git status',
    },
    'folders that only root could look into': {
      run: `mkdir -p x/y/z; git init -q x/y/z/r; ${config} >> x/y/z/r/.git/config; chmod 000 x/y/z; chmod 600 x/y; chmod 100 x; git init -q s; ${config} >> s/.git/config; chmod 400 s/.git/config; chmod 111 s/.git; chmod 0 s`,
      afterwards:
        'chmod 755 x; chmod 755 x/y; chmod 755 x/y/z s s/.git; cd x/y/z/r && git status; cd {ROOT}/s && git status',
    },
  }),
  ...table('staying in unfinished work', {
    'a rebase with a strategy of its own': {
      run: `${stoppedRebase}; echo 'a/run' > .git/rebase-merge/strategy; mkdir -p git-merge-a; ${script} > git-merge-a/run; chmod +x git-merge-a/run`,
      afterwards: goesOn,
    },
    'a rebase with more lines than are read': {
      run: `${stoppedRebase}; (head -c 1200000 /dev/zero | tr '\\0' '#'; echo; echo 'exec {SPRING}'; cat .git/rebase-merge/git-rebase-todo) > /tmp/t; cp /tmp/t .git/rebase-merge/git-rebase-todo`,
      afterwards: goesOn,
    },
    'a rebase behind a link': {
      run: `${stoppedRebase}; mv .git/rebase-merge r; ln -s ../r .git/rebase-merge; sed -i '1i exec {SPRING}' r/git-rebase-todo`,
      afterwards: goesOn,
    },
    'a rebase whose list is a link': {
      run: `${stoppedRebase}; mv .git/rebase-merge/git-rebase-todo t; ln -s ../../t .git/rebase-merge/git-rebase-todo; sed -i '1i exec {SPRING}' t`,
      afterwards: goesOn,
    },
    'a row of picks with a strategy': {
      run: `for n in a b; do git checkout -qB $n main; echo $n > same; git add same; git commit -qm $n; done; git cherry-pick a main 2>/dev/null; mkdir -p git-merge-a; ${script} > git-merge-a/run; chmod +x git-merge-a/run; printf '[options]\\n\\tstrategy = a/run\\n' > .git/sequencer/opts`,
      afterwards: 'echo x > same; git add same; GIT_EDITOR=true git cherry-pick --continue',
    },
  }),
  ...table('staying in what the settings name', {
    'a file that is included and not there': {
      run: `${config} > more.gitconfig; mkdir -p conf; ${config} > conf/late.gitconfig`,
      files: {
        'team.gitconfig':
          '[include]\n\tpath = more.gitconfig\n[includeIf "onbranch:later"]\n\tpath = "conf/late.gitconfig" # when\n',
      },
      afterwards: 'git status; git checkout -q -b later; git status',
    },
    'a condition that does not hold yet': {
      run: `${config} > branch.gitconfig; git checkout -q -b later`,
      files: {
        'team.gitconfig': '[includeIf "onbranch:later"]\n\tpath = branch.gitconfig\n',
        'branch.gitconfig': '[core]\n\tabbrev = 9\n',
      },
      afterwards: 'git status',
    },
    'a filter that is not there': {
      run: `${script} > tools/gone.sh; chmod +x tools/gone.sh; mkdir 'my tools'; ${script} > 'my tools/clean it.sh'`,
      files: {
        'team.gitconfig': `[filter "pack"]\n\tclean = tools/gone.sh\n[filter "sack"]\n\tclean = sh 'my tools/clean it.sh'\n`,
        '.gitattributes': '*.bin filter=pack\n*.bun filter=sack\n',
        'a.bin': '1',
        'a.bun': '1',
      },
      afterwards: 'git add a.bin; git add a.bun',
    },
    'a monitor, by an absolute path and through a link': {
      run: `${script} > tools/watch; rm -f tools/real.sh; ${script} > tools/real.sh; chmod +x tools/*`,
      files: { 'team.gitconfig': '[core]\n\tfsmonitor = {ROOT}/tools/watch\n', 'tools/watch': '#!/bin/sh\nexit 1\n' },
      afterwards: 'chmod +x tools/watch; git status',
    },
    'the folder of a program is carried along': {
      run: `mv tools t2; cp -r t2 tools; ${script} > tools/pre-push.sh; chmod +x tools/pre-push.sh; ln -sfn t2 tools`,
      afterwards: 'git commit -qm x --allow-empty',
    },
  }),
  ...table('staying in folders of packages', {
    'one that becomes a folder of packages': {
      run: [
        `mkdir -p venv n/node_modules vendor/bundle; git init -q venv/e; ${config} >> venv/e/.git/config; touch venv/pyvenv.cfg; ${evilGit('n/node_modules/e')}; mkdir l; echo 'gitdir: ../n/node_modules/e' > l/.git`,
        `${evilGit('n/node_modules/f')}; mkdir l2; echo 'gitdir: ../n/node_modules/f' > l2/.git; git init -q vendor/bundle/g; ${config} >> vendor/bundle/g/.git/config`,
      ],
      afterwards:
        'cd venv/e && git status; cd ../../l && git status; cd ../l2 && git status; cd ../vendor/bundle/g && git status',
    },
    'the folder above is exchanged': inPython(`
import ctypes, os, shutil
l=ctypes.CDLL(None)
shutil.copytree('packages','p2',symlinks=True)
open('p2/a/node_modules/inner/index.js','w').write('evil')
for f in (0,1,2): l.renameat2(-100,b'p2',-100,b'packages',f)
os.system('mv packages/a packages/b; cp -r p2/a packages/a')`),
  }),
  ...table('staying in files of other programs', {
    'names that only end so':
      'touch a.code-workspace .code-workspace; mkdir b.code-workspace; ln -s src c.code-workspace',
    'a link where no folder was':
      'ln -s src .config; mkdir -p src/mise; echo x > src/lefthook.yml; ln -s src .yarn; mkdir -p src/releases; ln -s ../src .github/actions; ln -s src .mise',
  }),
]
