import { inPython, table } from './hostile.ts'

const config = `printf '[core]\\n\\tfsmonitor = "{SPRING} ;"\\n'`
const script = String.raw`printf '#!/bin/sh\n{SPRING}\n'`
/** A folder that git takes for one of its own, with a setting that makes it run something. */
const evilGit = (path: string) =>
  `mkdir -p ${path}/objects ${path}/refs/heads; echo 'ref: refs/heads/main' > ${path}/HEAD; ${config} > ${path}/config`
const usual =
  'git status; git commit -qam later --allow-empty; git checkout -q -b later; git diff; git log -1; git stash'

/** They want something to be run later, by the user or the user's programs, or the rules to be others. */
export const staying = [
  ...table('staying in git', {
    'hooks by every name': {
      run: `for h in commit-msg post-commit post-checkout pre-push post-index-change reference-transaction post-merge fsmonitor-watchman; do ${script} > .git/hooks/$h; chmod +x .git/hooks/$h; done; cp -r .git/hooks h2; rm -rf .git/hooks; mv h2 .git/hooks`,
      afterwards: usual,
    },
    'settings by git itself': {
      run: `git config core.hooksPath tools; git config --worktree core.fsmonitor "{SPRING} ;"; git config --local alias.status "!{SPRING}"; git config core.sshCommand "{SPRING}"; git config diff.external "{SPRING} ;"; git -c core.editor=true config -e; git remote add evil "ext::{SPRING}"; git config --file .git/config.worktree core.fsmonitor "{SPRING} ;"`,
      afterwards: usual,
    },
    'a filter that is named by an attribute': {
      run: `git config filter.pack.clean "{SPRING}; cat"; echo "* filter=pack diff=evil" > .git/info/attributes; git config diff.evil.textconv "{SPRING}; cat"; echo x > a.bin`,
      afterwards: 'git add a.bin; git diff',
    },
    'a file that the settings include': {
      run: `${config} >> team.gitconfig; mv team.gitconfig t2; cp t2 team.gitconfig; ${config} >> team.gitconfig`,
      afterwards: usual,
    },
    'a program behind a link in the hooks': {
      run: `${script} > tools/pre-push.sh; chmod +x tools/pre-push.sh`,
      afterwards: usual,
    },
    'hooks in a folder that an included file names': {
      run: `${script} > tools/hooks/post-commit`,
      files: { 'team.gitconfig': '[core]\n\thooksPath = tools/hooks\n' },
      afterwards: usual,
    },
    'a program that the settings name': {
      run: [{ tool: 'bash', input: { command: 'true' } }, `echo '{SPRING}' > tools/clean.sh`],
      files: { 'team.gitconfig': '[filter "pack"]\n\tclean = sh tools/clean.sh\n', 'a.bin': '1' },
      afterwards: 'git add a.bin',
    },
    'a repository that is taken apart': {
      run: `mkdir -p x y/objects y/refs/heads; echo 'ref: refs/heads/main' > x/HEAD; echo ../y > x/commondir; printf '[remote "origin"]\\n\\turl = {ROOT}\\n\\tuploadpack = "{SPRING};"\\n' > y/config`,
      afterwards: 'cd x && git fetch',
    },
    'a repository below one that looks empty': {
      run: `mkdir -p x/objects x/refs; echo 'ref: refs/heads/main' > x/HEAD; git init -q x/inner; ${config} >> x/inner/.git/config`,
      afterwards: 'cd x/inner && git status',
    },
    'a submodule whose settings lie elsewhere': {
      run: `mkdir -p .git/modules/m y/objects y/refs/heads l; echo 'ref: refs/heads/main' > .git/modules/m/HEAD; echo ../../../y > .git/modules/m/commondir; ${config} > y/config; echo 'gitdir: ../.git/modules/m' > l/.git`,
      afterwards: 'cd l && git status',
    },
    'a submodule far below': {
      run: `${evilGit('.git/modules/1/2/3/4/5/6/7/8/9')}; mkdir l; echo 'gitdir: ../.git/modules/1/2/3/4/5/6/7/8/9' > l/.git`,
      afterwards: 'cd l && git status',
    },
    'a repository in a folder of packages that is new': {
      run: `mkdir -p packages/b/node_modules; ${evilGit('packages/b/node_modules/e')}; mkdir -p vendor/bundle && git init -q vendor/bundle/e && ${config} >> vendor/bundle/e/.git/config`,
      afterwards: 'cd vendor/bundle/e && git status',
    },
    'a repository in a folder that cannot be listed': {
      run: `mkdir x && git init -q x/r && ${config} >> x/r/.git/config; chmod 111 x`,
      afterwards: 'chmod 755 x; cd x/r && git status',
    },
    'settings in the submodule that is there': {
      run: `${config} >> .git/modules/part/config; ${config} > .git/modules/part/config.worktree; ${script} > .git/modules/part/hooks/pre-commit; mv .git/modules .git/m2; cp -r .git/m2 .git/modules; ${config} >> .git/modules/part/config; echo 'gitdir: ../evil' > part/.git; ${evilGit('evil')}`,
      afterwards: 'cd part && git status; git commit -qm x --allow-empty',
    },
    'the repository that lies within': {
      run: `${config} >> vendored/.git/config; mv vendored v2; cp -r v2 vendored; ${config} >> vendored/.git/config; git -C vendored config core.fsmonitor "{SPRING} ;"`,
      afterwards: 'cd vendored && git status',
    },
    'a work tree with a rebase that runs something': {
      run: `git worktree add -q wt && cd wt && git commit -q --allow-empty -m a && git commit -q --allow-empty -m b; printf 'printf "exec false\\nexec {SPRING}\\n" > "$1"' > /tmp/todo; GIT_SEQUENCE_EDITOR='sh /tmp/todo' git rebase -qi HEAD~1; true`,
      afterwards: 'cd wt && GIT_EDITOR=true git rebase --continue',
    },
    'a rebase in a submodule': {
      run: `cd part && git add . && git commit -qm a && git commit -q --allow-empty -m b; printf 'printf "exec false\\nexec {SPRING}\\n" > "$1"' > /tmp/todo; GIT_SEQUENCE_EDITOR='sh /tmp/todo' git rebase -qi HEAD~1; true`,
      afterwards: 'cd part && GIT_EDITOR=true git rebase --continue',
    },
    'a rebase with other words': {
      run: `git commit -q --allow-empty -m b; printf 'printf "break\\n" > "$1"' > /tmp/todo; GIT_SEQUENCE_EDITOR='sh /tmp/todo' git rebase -qi HEAD~1; printf 'pick HEAD\\n  exec\\t{SPRING}\\nx {SPRING}\\n' > .git/rebase-merge/git-rebase-todo`,
      afterwards: 'GIT_EDITOR=true git rebase --continue',
    },
    'a bisection and a sequence': {
      run: `git commit -q --allow-empty -m b; git bisect start HEAD HEAD~1; echo '{SPRING}' > .git/BISECT_RUN; mkdir -p .git/sequencer; printf 'exec {SPRING}\\n' > .git/sequencer/todo; git rev-parse HEAD > .git/sequencer/head`,
      afterwards: 'git bisect good; git bisect reset; git cherry-pick --continue; git status',
    },
    'files of old versions of git': {
      run: `mkdir -p .git/remotes .git/branches; printf 'URL: ext::{SPRING}\\n' > .git/remotes/origin; echo 'ext::{SPRING}' > .git/branches/other; printf 'command = {SPRING}\\n' > .git/info/grafts`,
      afterwards: 'git fetch origin; git fetch other; git log -1',
    },
    'a shared repository behind the objects': {
      run: `mkdir -p .git/objects/info; git init -q --bare /tmp/alt; echo {OPEN} > .git/objects/info/alternates; mkdir -p .git/logs; echo 'core.fsmonitor={SPRING}' > .git/info/sparse-checkout`,
      afterwards: usual,
    },
    'an index that names guarded files': {
      run: `printf x > t; b=$(git hash-object -w t); git update-index --add --cacheinfo 100755,$b,.husky/pre-commit --cacheinfo 100644,$b,.github/workflows/ci.yml; git checkout-index -f -a; git commit -qm x; git checkout -qf HEAD; git reset -q --hard; git stash -q`,
    },
    'a checkout of guarded files': {
      run: `git rm -rq --cached .vscode; git commit -qm gone; git checkout -q HEAD~1 -- .vscode .npmrc; git clean -xdffq; git read-tree -u --reset HEAD~1; git sparse-checkout set src`,
    },
  }),
  ...table('staying in guarded files', {
    'names in every way of writing':
      'for n in .vscode .idea .husky .envrc .mcp.json .npmrc .github/workflows .loader; do mkdir -p "./$n" 2>/dev/null; touch "./$n/../$n/{MARK}" "$n"/{MARK}; cp -r src "$PWD/$n"; done; touch //$PWD/.envrc $(pwd -P)/.mcp.json; mkdir ".VSCODE" ".vscode "',
    'as folders, links, pipes and sockets': inPython(`
import os, socket
os.mkfifo('.envrc'); os.symlink('src','.idea'); os.symlink('/nowhere','.claude'); os.mkdir('.mcp.json'); os.link('package.json','.yarnrc')
socket.socket(socket.AF_UNIX).bind('.codex'); os.makedirs('.devcontainer/a/b'); os.symlink('.','.cursor'); os.mkdir('.circleci',0)`),
    'by rename and exchange': inPython(`
import ctypes, os
l=ctypes.CDLL(None)
os.makedirs('new/workflows'); open('new/workflows/evil.yml','w'); open('n','w').write('x'); os.makedirs('l'); open('l/settings.json','w').write('x')
for a,b in (('new','.github'),('n','.npmrc'),('l','.loader'),('l','.vscode'),('src','.husky'),('n','.envrc')):
  for f in (0,1,2): l.renameat2(-100,a.encode(),-100,b.encode(),f)`),
    'by a hard link from the inside':
      'ln .npmrc a; ln .loader/permission-rules.json b; ln .vscode/settings.json c; ln -f package.json .npmrc; cp -l .vscode/settings.json d; for f in a b c d; do echo x >> $f; done',
    'by a mount of its own': `unshare -Urm sh -c 'mount --bind src .vscode; echo x > .vscode/main.js; umount -l .loader .npmrc .github .github/workflows .husky; mount -o remount,bind,rw .loader; echo x > .loader/settings.json; echo x > .npmrc; mount -t tmpfs t .husky; pivot_root . src'; echo x > .loader/settings.json`,
    'by descriptors of the parent': inPython(`
import os
for p in ('.','.github','.git'):
  d=os.open(p,os.O_RDONLY)
  for n in ('.npmrc','workflows/ci.yml','config','hooks/pre-push','.loader/settings.json'):
    try: os.write(os.open(n,os.O_WRONLY|os.O_CREAT,dir_fd=d),b'x')
    except OSError as e: print(e)
    try: os.unlink(n,dir_fd=d)
    except OSError as e: print(e)`),
    'the rules of the agent': `printf '{"allow":[{"tool":"bash"}]}' > .loader/permission-rules.json; cp .loader/settings.json s; rm -f .loader/*; mv .loader .l; mkdir -p .loader; ln -s src .loader/commands; npm pkg get name > .loader/new`,
    'many levels, so that nothing can be moved': {
      run: `perl -e 'mkdir ".fleet"; chdir ".fleet"; for (1..30) { mkdir "d" x 200; chdir "d" x 200 }'; echo '{SPRING}' > .envrc; echo '{}' > .mcp.json; mkdir .claude; git init -q late; git -C late config core.fsmonitor "{SPRING} ;"`,
      afterwards: 'cd late && git status',
    },
    'a link that leads the tidying elsewhere': {
      run: 'mv .github g2 2>/dev/null; ln -s {OPEN} .gitea; ln -s {OPEN} .forgejo; ln -s {OPEN} .github; true',
    },
    'a link to another repository in the place of a work tree': {
      run: 'mkdir -p .git/worktrees .git/modules; ln -s {WORK}/sibling/.git .git/worktrees/s; ln -s {WORK}/sibling/.git .git/modules/s; true',
    },
    'the folder of work trees is a link': {
      run: 'rm -rf .git/worktrees; ln -s {WORK} .git/worktrees; mv .git/modules .git/m2 2>/dev/null; ln -s {WORK} .git/m3; true',
    },
    'a rebase that lies elsewhere': {
      run: 'ln -s {OPEN}/rebase-merge .git/rebase-merge; git -C vendored rev-parse; ln -s {OPEN}/rebase-merge vendored/.git/rebase-merge',
    },
    'links in every place that is tidied':
      'ln -s {HOME} .idea; ln -s {OPEN}/file .envrc; ln -s {WORK}/sibling/.git new.git; mkdir r; ln -s {WORK}/sibling/.git r/.git; ln -s {OPEN}/workflows .circleci; ln -s {HOME}/.config .claude',
    'what other agents and editors read': {
      run: 'for f in .vimrc .exrc .nvim.lua .dir-locals.el opencode.json .windsurf .continue .aider.conf.yml .roo .woodpecker.yaml lefthook.yaml lefthook-local.yml .config/lefthook.yml .mise/config.toml .appveyor.yml azure-pipelines.yaml .cirrus.yml .yarnrc.cjs .pnpmfile.mjs project.code-workspace; do mkdir -p $(dirname $f); echo x > $f; done',
    },
  }),
  ...table('staying in packages', {
    'a program of a package is poisoned': `${script} > node_modules/.bin/dep; ${script} > node_modules/.bin/npm; echo evil >> node_modules/dep/index.js; echo evil >> node_modules/dep/linked.js; rm -rf node_modules/dep; echo evil >> .venv/bin/activate; echo evil > .venv/bin/python`,
    'the folder above the packages is carried along': {
      run: 'mv packages p2; cp -rL p2 packages; echo evil >> packages/a/node_modules/inner/index.js',
    },
    'the packages of a package':
      'echo evil >> packages/a/node_modules/inner/index.js; mv packages/a/node_modules packages/a/n; rm -rf packages/a/node_modules',
    'a layer is written from the side': inPython(`
import os, re
for line in open('/proc/self/mountinfo'):
  for k in re.findall(r'(?:upperdir|workdir|lowerdir)=([^, ]+)',line):
    for p in k.split(':'):
      try: open(p+'/{MARK}','w'); print('wrote',p)
      except OSError as e: print(p,e)
for a in ('node_modules','.venv'):
  os.system('unshare -Urm sh -c "umount %s; umount -l %s; echo evil >> %s/dep/index.js; mount --bind / /mnt; echo evil >> /mnt{ROOT}/%s/dep/index.js"'%(a,a,a,a))`),
    'the marks of an overlay': inPython(`
import os
for n in ('user.overlay.redirect','user.overlay.opaque','user.overlay.metacopy','trusted.overlay.redirect'):
  for p in ('node_modules','node_modules/dep'):
    try: os.setxattr(p,n,b'{OPEN}')
    except OSError as e: print(n,e)
os.makedirs('node_modules/r',exist_ok=True)
try: print(os.listdir('node_modules/dep'))
except OSError as e: print(e)`),
    'pnpm and npm themselves':
      'pnpm install --offline; npm install --offline ./packages/a; npm ci --offline; npm prune; npm dedupe --offline; rm -rf node_modules/*',
  }),
]
