/** The category of an error, as far as its text tells. */
export const errorCategories = [
  'GIT_CONFLICT',
  'GIT_NOT_REPO',
  'GIT_DIRTY',
  'DISK_FULL',
  'OUT_OF_MEMORY',
  'PATH_TOO_LONG',
  'PORT_IN_USE',
  'CONNECTION_REFUSED',
  'AUTH_ERROR',
  'SCRIPT_NOT_FOUND',
  'COMMAND_NOT_FOUND',
  'VERSION_MISMATCH',
  'MISSING_DEPENDENCY',
  'IMPORT_ERROR',
  'SYNTAX_ERROR',
  'TYPE_ERROR',
  'LINT_ERROR',
  'TEST_FAILURE',
  'BUILD_ERROR',
  'INVALID_ARGUMENTS',
  'CONFIG_ERROR',
  'TIMEOUT',
  'NETWORK_ERROR',
  'PERMISSION_DENIED',
  'FILE_NOT_FOUND',
  'PROCESS_ERROR',
  'UNKNOWN',
] as const

/** What kind of failure the output of a command shows, such as a missing module or a syntax error. */
export type ErrorCategory = (typeof errorCategories)[number]

/**
 * Checked in order: texts that only one program prints come before general ones. The patterns include the position in
 * the line, so that a test about conflicts is not read as a conflict.
 */
const signs: Readonly<Record<Exclude<ErrorCategory, 'UNKNOWN'>, readonly RegExp[]>> = {
  GIT_CONFLICT: [/^CONFLICT \(/m, /Automatic merge failed/, /^<{7} \S/m, /you have unmerged (?:paths|files)/i],
  GIT_NOT_REPO: [/not a git repository/i],
  GIT_DIRTY: [
    /Your local changes to the following files would be overwritten/,
    /(?:you have|with) un(?:staged|committed) changes/i,
    /cannot (?:rebase|pull with rebase|switch branch): [^\n]*changes/i,
  ],
  DISK_FULL: [/\bENOSPC\b/, /no space left on device/i, /disk quota exceeded|\bEDQUOT\b/i],
  OUT_OF_MEMORY: [
    /heap out of memory/i,
    /\bENOMEM\b/,
    /\bMemoryError\b/,
    /cannot allocate memory/i,
    /^[ \t]*Killed[ \t]*$/m,
  ],
  PATH_TOO_LONG: [/\bENAMETOOLONG\b/, /file ?name too long/i],
  PORT_IN_USE: [/\bEADDRINUSE\b/, /address already in use/i, /port \d+ is (?:already )?in use/i],
  CONNECTION_REFUSED: [/\bECONNREFUSED\b/, /connection refused/i],
  AUTH_ERROR: [
    /authentication (?:failed|required)/i,
    /could not read (?:Username|Password) for/i,
    /Permission denied \(publickey/i,
    /\b401\b[^\n]*unauthori[sz]ed|unauthori[sz]ed[^\n]*\b401\b|\bE401\b|\b403 Forbidden\b|\bE403\b/i,
    /invalid (?:api key|credentials|access token)/i,
  ],
  SCRIPT_NOT_FOUND: [
    /missing script:/i,
    /\bERR_PNPM_NO_SCRIPT\b/,
    /Command "[^"\n]+" not found/,
    /No rule to make target/,
    /can't open file '[^'\n]+': \[Errno 2\]/,
  ],
  COMMAND_NOT_FOUND: [
    /(?:^|[:\s])command not found\b/im,
    /^(?:\S*\/)?(?:sh|bash|dash|zsh)(?:: line)?(?:: )?\d*: [\w./-]+: not found$/m,
    /^[^\n]*: \d+: [\w./-]+: not found$/m,
    /is not recognized as an internal or external command/i,
    /\bspawn \S+ ENOENT\b/,
  ],
  VERSION_MISMATCH: [
    /unsupported engine|\bEBADENGINE\b|engine "[^"\n]+" is incompatible/i,
    /\bERESOLVE\b|could not resolve dependency:/i,
    /requires (?:python|node|rustc|go)\b[^\n]*\d/i,
    /package requires a different python/i,
    /version (?:conflict|mismatch)/i,
  ],
  MISSING_DEPENDENCY: [
    /ModuleNotFoundError: No module named/,
    /No module named '?[\w.]+'?$/m,
    /Cannot find (?:module|package) '(?![./])[^'\n]+'/,
    /can't find crate for|unresolved import `?\w+`?[^\n]*\n[^\n]*(?:use of (?:undeclared|unresolved)|maybe a missing crate)/,
    /no required module provides package/,
    /Could not find a version that satisfies the requirement/,
  ],
  IMPORT_ERROR: [
    /^ImportError:|\bImportError: cannot import name/m,
    /Cannot find module '[./][^'\n]*'/,
    /does not provide an export named/,
    /\bERR_MODULE_NOT_FOUND\b|\bERR_UNSUPPORTED_DIR_IMPORT\b/,
    /Failed to resolve import/,
  ],
  SYNTAX_ERROR: [
    /\b(?:SyntaxError|IndentationError|TabError)\b/,
    /^[^\n]*: syntax error\b/im,
    /Parsing error:/,
    /\berror TS1\d{3}:/,
  ],
  TYPE_ERROR: [
    /\berror TS[2-9]\d{3}:/,
    /^(?:\S+: )?TypeError:/m,
    /\berror\[E0308\]/,
    /^[^\n]+:\d+: error: [^\n]+\[[a-z-]+\]$/m,
  ],
  LINT_ERROR: [
    /^✖ \d+ problems? \(/m,
    /^Found \d+ errors?\.$/m,
    /^\S+:\d+:\d+: [A-Z]{1,3}\d{3,4}\b/m,
    /\b(?:eslint|oxlint|ruff|flake8|pylint|clippy|stylelint)\b[^\n]*\b(?:errors?|warnings?|problems?|failed)\b/i,
  ],
  TEST_FAILURE: [
    /^FAILED \S+(?:::|\.py)/m,
    /^(?:=+ )?(?:\d+ \w+, )*[1-9]\d* failed\b/m,
    /^[ \t]*Tests:? +[^\n]*\b[1-9]\d* failed/m,
    /^FAILED \((?:failures|errors)=/m,
    /^(?:--- FAIL: |FAIL\t)/m,
    /^(?:#|ℹ) fail [1-9]/m,
    /^[ \t]+[1-9]\d* failing$/m,
    /^test result: FAILED/m,
    /^not ok \d/m,
    /\bAssertionError\b/,
  ],
  BUILD_ERROR: [
    /^(?:error: )?could not compile\b/m,
    /\bBUILD FAILED\b|^Build failed\b/im,
    /^make(?:\[\d+\])?: \*\*\* /m,
    /^(?:\S+: )?(?:fatal )?error: [^\n]*(?:undefined reference|ld returned|linker command failed)/m,
    /undefined reference to/,
    /^error\[E\d{4}\]/m,
  ],
  INVALID_ARGUMENTS: [
    /(?:unknown|unrecognized|invalid|illegal|unexpected) (?:option|argument|flag|arguments)\b/i,
    /(?:missing|required) (?:required )?(?:argument|operand|parameter|positional argument)/i,
    /^usage: /im,
    /\bEINVAL\b/,
  ],
  CONFIG_ERROR: [
    /(?:invalid|failed to (?:load|parse|read)|error (?:in|loading|reading|parsing)|cannot (?:load|parse|read)) [^\n]{0,40}\bconfig(?:uration)?\b/i,
    /\bconfig(?:uration)? (?:error|file not found|is invalid)/i,
    /\b(?:EJSONPARSE|TOMLDecodeError|YAMLException|JSONDecodeError)\b/,
  ],
  TIMEOUT: [/\bETIMEDOUT\b|\bESOCKETTIMEDOUT\b/, /\btimed? ?out\b/i, /\bTimeoutError\b/, /deadline exceeded/i],
  NETWORK_ERROR: [
    /\b(?:ENOTFOUND|EAI_AGAIN|ECONNRESET|ENETUNREACH|EHOSTUNREACH|EPIPE)\b/,
    /could not resolve (?:host|proxy)/i,
    /network (?:is unreachable|error)|temporary failure in name resolution|getaddrinfo\b/i,
    /fetch failed|socket hang up/i,
  ],
  PERMISSION_DENIED: [
    /\b(?:EACCES|EPERM|EROFS)\b/,
    /permission denied/i,
    /operation not permitted/i,
    /\bPermissionError\b/,
  ],
  FILE_NOT_FOUND: [
    /\bENOENT\b/,
    /no such file or directory/i,
    /\bFileNotFoundError\b/,
    /(?:file|path|directory) (?:does not exist|not found)/i,
  ],
  PROCESS_ERROR: [
    /(?:exit(?:ed)?|failed) with (?:exit )?(?:code|status) [1-9]\d*/i,
    /exit code:? [1-9]\d*/i,
    /\bSIG(?:SEGV|ABRT|KILL|TERM|BUS|ILL)\b|segmentation fault|core dumped/i,
  ],
}

/** Programs print the cause of an error at the beginning or at the end. */
const shownAtEachEnd = 10_000

/**
 * Reads the kind of failure off the output of a command. It only chooses advice for the model; no promise rests on it.
 */
export function errorCategory(output: string): ErrorCategory {
  const long = output.length > 2 * shownAtEachEnd
  const text = long ? `${output.slice(0, shownAtEachEnd)}\n${output.slice(-shownAtEachEnd)}` : output
  return (
    errorCategories.find((category) => category !== 'UNKNOWN' && signs[category].some((sign) => sign.test(text))) ??
    'UNKNOWN'
  )
}
