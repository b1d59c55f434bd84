/** The task of `/review`: to look at what has changed, and to change nothing. */
export function reviewTask(words: string): string {
  const what =
    words === ''
      ? 'what has changed in this project and is not committed (git status, git diff HEAD, and the new files)'
      : words
  return [
    `Review ${what}.`,
    'Read the changed places and what they touch. Say what is wrong: mistakes first, then what is missing (tests,',
    'documentation), then what could be simpler. Name file and line for each, and say why it matters. Leave out praise,',
    'and what is only a matter of taste. If nothing is wrong, say so in one sentence.',
  ].join('\n')
}
