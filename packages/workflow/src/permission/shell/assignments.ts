/** Variables that only change how something is shown. */
const shown = /^(?:LANG|LANGUAGE|LC_[A-Z]+|TZ|NO_COLOR|FORCE_COLOR|CLICOLOR(?:_FORCE)?|COLUMNS|LINES|CI|TERM)$/

/** Variables that choose what a name stands for, what is run on the way, or which settings are read. */
const steering =
  /^(?:PATH|IFS|ENV|BASH_.*|BASHOPTS|SHELLOPTS|SHELL|PS[0-4]|PROMPT_COMMAND|LD_.*|DYLD_.*|GIT_.*|SSH_.*|GPG_.*|GNUPGHOME|(?:.*_)?PAGER|(?:.*_)?EDITOR|VISUAL|BROWSER|LESS.*|GREP_.*|RIPGREP_.*|RG_.*|FD_.*|FZF_.*|TAR_OPTIONS|GZIP|HOME|XDG_.*|CDPATH|FPATH|GLOBIGNORE|TERMINFO.*|TERMCAP|LOCPATH|NLSPATH|TEXTDOMAIN.*|POSIXLY_CORRECT|TMPDIR|SUDO_.*|.*ASKPASS|HISTFILE|FCEDIT|OLDPWD|PWD|JQ_.*|LOADER_.*|(?:HTTPS?|FTP|ALL)_PROXY|(?:npm|NPM)_(?:config|CONFIG)_(?:registry|REGISTRY|userconfig|USERCONFIG|globalconfig|GLOBALCONFIG|prefix|PREFIX|script_shell)|(?:PIP|UV)_(?:EXTRA_|DEFAULT_)?INDEX_URL|UV_INDEX|PIP_CONFIG_FILE|YARN_NPM_REGISTRY_SERVER|GOPROXY|GOFLAGS|CARGO_HOME|RUSTC(?:_WORKSPACE)?_WRAPPER|MAKEFLAGS)$/

/** Lower-case names that programs and other shells read. */
const known =
  /^(?:(?:https?|ftp|all|no)_proxy|path|fpath|cdpath|manpath|module_path|fignore|prompt|histchars|auto_resume)$/

/**
 * What setting a variable can lead to. Names in lower case are the script's own; those in capitals are read by programs,
 * and what they do with most of them nobody can list.
 */
export function variableLevel(name: string): 'probe' | 'run' | 'ask' {
  if (steering.test(name)) return 'ask'
  if (shown.test(name) || (/^[a-z_][a-z0-9_]*$/.test(name) && !known.test(name))) return 'probe'
  return 'run'
}
