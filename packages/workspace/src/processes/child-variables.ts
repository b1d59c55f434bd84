import { withoutSecrets } from './carried-secrets.ts'
import type { ProcessOptions } from './process-options.ts'

/**
 * The variables that commands get. A list of all secrets is impossible, so this is a list of what is passed: where
 * programs are, the language, and settings of toolchains. `passVariables` adds to it.
 */
const letIn: ReadonlySet<string> = new Set(
  `PATH HOME USER LOGNAME SHELL PWD OLDPWD TMPDIR TMP TEMP TZ LANG LANGUAGE LC_ALL LC_CTYPE LC_COLLATE LC_MESSAGES
  LC_NUMERIC LC_TIME LC_MONETARY COLUMNS LINES NO_COLOR CI HOSTNAME
  SystemRoot SystemDrive windir ComSpec PATHEXT Path USERPROFILE APPDATA LOCALAPPDATA ProgramFiles ProgramData
  NODE_ENV NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_NO_WARNINGS NODE_V8_COVERAGE NVM_DIR NVM_BIN VOLTA_HOME FNM_DIR
  FNM_MULTISHELL_PATH N_PREFIX PNPM_HOME COREPACK_HOME BUN_INSTALL DENO_DIR DENO_INSTALL npm_config_registry
  npm_config_cache npm_config_prefix npm_config_user_agent npm_execpath npm_node_execpath
  PYTHONPATH PYTHONHOME PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED PYTHONHASHSEED PYTHONIOENCODING PYTHONUTF8 PYENV_ROOT
  PYENV_VERSION VIRTUAL_ENV CONDA_PREFIX CONDA_DEFAULT_ENV CONDA_EXE UV_CACHE_DIR UV_PYTHON PIP_CACHE_DIR PIPX_HOME POETRY_HOME
  CARGO_HOME CARGO_TARGET_DIR CARGO_INCREMENTAL RUSTUP_HOME RUSTUP_TOOLCHAIN RUSTFLAGS RUST_BACKTRACE RUST_LOG RUSTC_WRAPPER
  GOPATH GOROOT GOCACHE GOMODCACHE GOFLAGS GOOS GOARCH GOBIN GOTOOLCHAIN CGO_ENABLED CGO_CFLAGS CGO_LDFLAGS
  JAVA_HOME JDK_HOME M2_HOME MAVEN_HOME MAVEN_OPTS GRADLE_HOME GRADLE_USER_HOME GRADLE_OPTS JAVA_TOOL_OPTIONS KOTLIN_HOME
  SCALA_HOME SDKMAN_DIR RBENV_ROOT RBENV_VERSION GEM_HOME GEM_PATH BUNDLE_PATH BUNDLE_GEMFILE RUBYOPT RUBYLIB RAILS_ENV
  COMPOSER_HOME PERL5LIB PERL_LOCAL_LIB_ROOT DOTNET_ROOT DOTNET_CLI_TELEMETRY_OPTOUT NUGET_PACKAGES ANDROID_HOME
  ANDROID_SDK_ROOT FLUTTER_ROOT PUB_CACHE MIX_ENV MIX_HOME HEX_HOME STACK_ROOT GHCUP_INSTALL_BASE_PREFIX CABAL_DIR OPAMROOT
  OPAM_SWITCH_PREFIX ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR ZIG_GLOBAL_CACHE_DIR
  CC CXX AR AS LD NM RANLIB CFLAGS CXXFLAGS CPPFLAGS LDFLAGS MAKEFLAGS MFLAGS CMAKE_PREFIX_PATH CMAKE_GENERATOR
  CMAKE_BUILD_PARALLEL_LEVEL PKG_CONFIG_PATH LIBRARY_PATH LD_LIBRARY_PATH CPATH C_INCLUDE_PATH CCACHE_DIR SCCACHE_DIR
  SOURCE_DATE_EPOCH MANPATH INFOPATH XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_DATA_DIRS XDG_CONFIG_DIRS
  SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE GIT_SSL_CAINFO TURBO_TELEMETRY_DISABLED DO_NOT_TRACK
  HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy NIX_PATH NIX_PROFILES
  NIX_SSL_CERT_FILE LOCALE_ARCHIVE GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_AUTHOR_DATE GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
  GIT_COMMITTER_DATE GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG_NOSYSTEM`.split(/\s+/),
)

/** Commands have no terminal: pagers, editors and prompts end at once instead of waiting for input. */
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

/** The environment of a process. */
export type ChildVariables = Readonly<Record<string, string>>

/** The environment of a command. */
export function childVariables(options: ProcessOptions): ChildVariables {
  const { passed } = sorted(options)
  return { ...passed, ...nobodyThere }
}

/**
 * The variables that commands do not get. A variable that is passed without its secrets is here with its whole value.
 */
export function withheldVariables(options: ProcessOptions): ChildVariables {
  return sorted(options).withheld
}

function sorted({ variables = process.env, passVariables = [] }: ProcessOptions): {
  readonly passed: ChildVariables
  readonly withheld: ChildVariables
} {
  const named = new Set(passVariables)
  const passed: Record<string, string> = {}
  const withheld: Record<string, string> = {}
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) continue
    const shown = named.has(name) ? value : letIn.has(name) ? withoutSecrets(value) : undefined
    if (shown !== undefined) passed[name] = shown
    if (shown !== value) withheld[name] = value
  }
  return { passed, withheld }
}
