export interface TestCase {
  readonly suite: string
  readonly name: string
  /** Absent if the test passed. */
  readonly failure?: string
}

/** A report in the JUnit format for CI servers. */
export function junit(name: string, cases: readonly TestCase[]): string {
  const failures = cases.filter(({ failure }) => failure !== undefined).length
  const lines = cases.map(({ suite, name: title, failure }) => {
    const head = `    <testcase classname="${escaped(suite)}" name="${escaped(title)}"`
    if (failure === undefined) return `${head}/>`
    return `${head}><failure message="${escaped(failure)}"/></testcase>`
  })
  const counts = `tests="${cases.length}" failures="${failures}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${escaped(name)}" ${counts}>`,
    ...lines,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

const entities: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  '\n': '&#10;',
}

/** XML does not allow most control characters, not even escaped. */
function escaped(text: string): string {
  return text
    .replaceAll(/[<>&"\n]/g, (character) => entities[character] ?? character)
    .replaceAll(/[^\P{Cc}\t\r]|[\uFFFE\uFFFF]/gu, '\uFFFD')
}
