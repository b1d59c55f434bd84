import type { ErrorCategory } from './error-category.ts'

const advice: Readonly<Record<ErrorCategory, string>> = {
  GIT_CONFLICT: 'Open the files with conflict marks, settle each, and stage them; do not discard either side unseen.',
  GIT_NOT_REPO: 'This folder is not a git repository: change to the right one, or ask before making it one.',
  GIT_DIRTY: 'There are uncommitted changes: look at them first, then commit or stash them; never drop them unseen.',
  DISK_FULL: 'The disk is full. Say so, and name what could be removed; do not delete anything unasked.',
  OUT_OF_MEMORY: 'The process ran out of memory: run less at once, or on a smaller input.',
  PATH_TOO_LONG: 'A path is longer than the system takes: use a shorter name or a folder further up.',
  PORT_IN_USE: 'Another process holds the port: use another port, or find out who holds it before stopping anything.',
  CONNECTION_REFUSED: 'Nothing answers there: check that the service is running, and its host and port.',
  AUTH_ERROR: 'The credentials were refused. They are for the user to provide: say which are missing.',
  SCRIPT_NOT_FOUND: 'There is no script or target of that name: list those that the project has, and use one of them.',
  COMMAND_NOT_FOUND:
    'The program is not installed, or not on the path: look for it in the project, or use another one.',
  VERSION_MISMATCH: 'Versions do not fit together: read which are asked for, and which are there.',
  MISSING_DEPENDENCY: 'A package is missing: install it with the package manager of the project, or do without it.',
  IMPORT_ERROR: 'An import points to something that is not there: check path, ending and exported name.',
  SYNTAX_ERROR: 'The file does not parse: read the place that the message names, and mend that first.',
  TYPE_ERROR: 'Types do not fit: read what was expected and what was given, and change the one that is wrong.',
  LINT_ERROR: 'The linter objects: mend what it names, without switching its rules off.',
  TEST_FAILURE: 'A test fails: read what it expected and what it got, and mend the code, not the test.',
  BUILD_ERROR: 'The build fails: take the first error; the others often follow from it.',
  TIMEOUT: 'It took too long: look for something that never ends or waits for input, or try a smaller part.',
  PROCESS_ERROR: 'The process ended with an error: read its last lines for the cause.',
  NETWORK_ERROR: 'The network could not be reached: try once more, or do what needs no network.',
  PERMISSION_DENIED: 'Access was refused: use a place that may be written, and do not change permissions unasked.',
  FILE_NOT_FOUND: 'The path is not there: list the folder, and use the name as it is written there.',
  CONFIG_ERROR: 'A setting cannot be read: check the file that the message names, line by line.',
  INVALID_ARGUMENTS: 'The arguments are not understood: read the usage of the program, and call it accordingly.',
  UNKNOWN: 'Read the whole message, find the first thing that went wrong, and change something before trying again.',
}

/** Advice to the model on how to handle an error of that category. */
export function recoveryAdvice(category: ErrorCategory): string {
  return advice[category]
}
