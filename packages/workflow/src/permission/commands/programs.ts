/** Programs that run the project's code, build it, or look after its parts. What they do is the project's choice. */
export const projectPrograms: ReadonlySet<string> = new Set(
  `node nodejs deno bun npm npx pnpm pnpx yarn yarnpkg bunx corepack nvm fnm volta tsc tsx ts-node vitest jest mocha ava tap c8 nyc
   playwright cypress eslint oxlint oxfmt prettier biome standard xo stylelint knip publint attw vite webpack rollup esbuild
   parcel swc babel next nuxt astro svelte-kit ng vue turbo nx lerna changeset tsup tsdown typedoc nodemon pm2 concurrently
   dotenv storybook prisma drizzle-kit sequelize
   python python2 python3 pypy pypy3 ipython pip pip2 pip3 pipx pytest py.test tox nox uvx ruff black mypy pyright flake8
   pylint isort bandit pre-commit coverage django-admin flask uvicorn gunicorn hypercorn celery alembic mamba virtualenv
   sphinx-build mkdocs jupyter nbconvert autopep8 yapf pyflakes pydocstyle maturin
   cargo rustc rustfmt rustdoc rustup cargo-clippy clippy-driver wasm-pack trunk
   go gofmt goimports golangci-lint staticcheck gopls dlv gotestsum
   make gmake cmake ctest cpack ninja meson bazel bazelisk buck2 pants just task scons autoconf automake autoreconf libtool m4
   gcc g++ cc c++ clang clang++ clang-format clang-tidy cpp ld ar as nm objdump objcopy readelf size strip ranlib gdb lldb ldd
   pkg-config protoc flex bison yacc lex nasm
   java javac jar javadoc jshell mvn mvnw gradle gradlew ant kotlin kotlinc scala scalac sbt mill lein clojure clj groovy ktlint
   ruby irb gem bundler rake rspec rails rubocop erb jekyll
   php composer phpunit artisan phpstan psalm pest
   dotnet csc msbuild nuget fsc
   swift swiftc xcodebuild xcrun swiftlint pod carthage
   elixir mix iex erl erlc rebar3 gleam
   ghc ghci cabal stack runghc hlint ocaml ocamlc opam dune
   perl prove cpan cpanm lua luajit luarocks julia Rscript R octave
   zig nim nimble crystal shards dart flutter v odin
   terraform-docs helm-docs hugo zola pandoc pdflatex xelatex latexmk bibtex dot plantuml mmdc
   shellcheck shfmt hadolint yamllint markdownlint actionlint ansible-lint tflint buf sqlfluff sqlite3
   patch ed ex bats shunit2 entr ctags cscope cloc tokei scc hyperfine
   ffmpeg ffprobe convert magick identify inkscape
   csplit ptx shuf yes dc openssl gpg-agent yq xq dasel mlr csvkit xmllint xsltproc tput stty reset clear
   asdf`.split(/\s+/),
)

/** Programs, and modules of a language, that reach beyond the workspace: other machines, accounts, the desktop, other people. */
export const reachingPrograms: ReadonlySet<string> = new Set(
  `ssh scp sftp rsync ftp lftp telnet nc ncat netcat socat rclone mosh autossh sshfs ssh-copy-id ssh-add ssh-keygen gpg gpg2 age pass
   docker docker-compose podman buildah nerdctl kubectl helm k9s minikube kind oc terraform tofu pulumi ansible ansible-playbook
   vagrant packer aws gcloud gsutil az doctl flyctl fly heroku vercel netlify wrangler firebase supabase railway gh glab hub jira
   psql mysql mariadb mongo mongosh redis-cli clickhouse-client sqlcmd
   brew port apt apt-get aptitude dpkg yum dnf rpm pacman apk zypper snap flatpak nix nix-env nix-shell choco winget scoop
   twine mail mailx sendmail mutt osascript open xdg-open start pbcopy pbpaste xclip xsel xdotool say notify-send
   crontab at batch atq atrm loginctl tmux screen killall pkill xkill ping traceroute dig nslookup host nmap whois ip ifconfig
   route arp ss netstat lsof dmesg journalctl getent
   code subl idea defaults launchctl security dscl networksetup chsh
   http-server serve live-server ngrok localtunnel lt cloudflared http.server SimpleHTTPServer smtplib ftplib telnetlib webbrowser
   xmlrpc.server np semantic-release vsce`.split(/\s+/),
)

/** Programs for people at a keyboard. Many of them run commands on a key. */
export const screenPrograms: ReadonlySet<string> = new Set(
  `less more most man info vi vim nvim view nano pico emacs joe mc top htop btop gotop bat batcat fzf tig lazygit ranger nnn lynx w3m
   links elinks dialog whiptail`.split(/\s+/),
)

/** Programs that change the machine. */
export const systemPrograms: ReadonlySet<string> = new Set(
  `mount umount swapon swapoff losetup fdisk sfdisk cfdisk gdisk sgdisk parted partprobe lvm pvcreate vgcreate lvcreate cryptsetup
   mdadm zpool zfs btrfs tune2fs resize2fs fsck hdparm nvme diskutil
   shutdown reboot halt poweroff init telinit systemctl service rc-service update-rc.d chkconfig
   insmod rmmod modprobe depmod sysctl kexec
   iptables ip6tables nft ufw firewall-cmd tc brctl
   useradd userdel usermod adduser deluser groupadd groupdel gpasswd passwd chpasswd visudo vipw chage newgrp
   setcap setfacl chattr mknod setenforce semanage restorecon grub-install update-grub efibootmgr
   hostnamectl timedatectl hwclock ntpdate update-alternatives ldconfig csrutil spctl nvram`.split(/\s+/),
)

/** Programs that make an end of what is on a disk. */
export const ruinousPrograms: RegExp =
  /^(?:mkfs(?:\..+)?|mke2fs|mkswap|newfs|wipefs|blkdiscard|badblocks|format(?:\.com)?)$/

/** Options, besides --version, that make a program tell its version and nothing else. */
export const versionWords: Readonly<Record<string, string>> = {
  node: '-v',
  npm: '-v',
  pnpm: '-v',
  yarn: '-v',
  deno: '-V',
  bun: '-v',
  tsc: '-v',
  python: '-V',
  python3: '-V',
  pip: '-V',
  pip3: '-V',
  cargo: '-V',
  rustc: '-V',
  ruby: '-v',
  php: '-v',
  perl: '-v',
  go: 'version',
  java: '-version',
  javac: '-version',
  make: '-v',
  docker: '-v',
  mvn: '-v',
  gradle: '-v',
}

/** Programs whose operands are lines for a shell. */
export const shellRunners: ReadonlySet<string> = new Set(['concurrently', 'hyperfine'])

/** Programs that run what a project, or its publisher, has given a name. */
export const publishingPrograms: ReadonlySet<string> = new Set(
  `npm pnpm yarn bun make gmake just task rake mvn mvnw gradle gradlew sbt lein bazel nx turbo lerna maturin wasm-pack dart
   flutter mkdocs hugo swift`.split(/\s+/),
)
/** A name that says that something goes out to others. */
export const publishing: RegExp =
  /^(?:(?:[\w.-]*:)*(?:gh-)?(?:publish(?!ToMavenLocal)|deploy|upload)|release)(?:[A-Z:_-][\w:-]*)?$/

/** Subcommands that reach beyond the workspace, of programs that otherwise run the project's code. */
export const reachingSubcommands: Readonly<Record<string, readonly string[]>> = {
  npm: words(
    'publish pub publ unpublish login logout adduser add-user token owner access dist-tag deprecate team org profile star config c set hook',
  ),
  pnpm: words('publish unpublish login logout owner access dist-tag deprecate config self-update setup'),
  yarn: words('publish login logout owner tag team config npm'),
  bun: words('publish upgrade'),
  cargo: words('publish login logout yank owner install uninstall'),
  gem: words('push yank owner signin install uninstall update'),
  go: words('install env'),
  flit: words('publish'),
  poetry: words('publish config'),
  uv: words('publish tool self'),
  hatch: words('publish'),
  pdm: words('publish config'),
  pip: words('config'),
  pip3: words('config'),
  pipx: words('install uninstall inject upgrade ensurepath reinstall'),
  conda: words('install remove uninstall update create env config'),
  mamba: words('install remove uninstall update create env config'),
  rustup: words('self default update toolchain component target'),
  corepack: words('enable disable prepare install use'),
  nvm: words('install uninstall alias'),
  volta: words('install uninstall pin'),
  changeset: words('publish'),
  lerna: words('publish'),
  openssl: words('s_client s_server s_time ocsp ts cmp'),
  composer: words('global'),
  dotnet: words('nuget'),
  nuget: words('push'),
  mvn: words('deploy release:perform'),
  gradle: words('publish'),
  gradlew: words('publish'),
  mvnw: words('deploy release:perform'),
  mix: words('hex.publish'),
  deno: words('publish upgrade install'),
  luarocks: words('upload'),
  pod: words('trunk'),
}

function words(list: string): readonly string[] {
  return list.split(' ')
}
