/** The files of a workspace, by path. */
export type Files = Map<string, string>

export interface Ran {
  readonly exitCode: number
  readonly output: string
}

/**
 * As much of a shell as the stories need, over files in memory: lists, redirections, a few builtins, `node --test` and
 * `npm test` on the sum project. It changes the files that it is given.
 */
export function simulatedShell(command: string, files: Files, folder = ''): Ran {
  let cwd = folder
  let last: Ran = { exitCode: 0, output: '' }
  let output = ''
  const parts = command.split(/\s*(&&|\|\||;)\s*/)
  for (let index = 0; index < parts.length; index += 2) {
    const before = parts[index - 1]
    if (before === '&&' && last.exitCode !== 0) continue
    if (before === '||' && last.exitCode === 0) continue
    const [part = '', target] = (parts[index] ?? '').split(/\s+>\s+/)
    const words = wordsOf(part)
    if (words[0] === 'cd') {
      cwd = join(cwd, words[1] ?? '')
      last = { exitCode: 0, output: '' }
      continue
    }
    if (words[0] === 'exit') return { exitCode: Number(words[1] ?? last.exitCode), output }
    last = program(words, files, cwd)
    if (target === undefined) output += last.output
    else files.set(join(cwd, target.trim()), last.output)
  }
  return { exitCode: last.exitCode, output }
}

function program([name = '', ...rest]: readonly string[], files: Files, cwd: string): Ran {
  const at = (path = ''): string => join(cwd, path)
  const operands = rest.filter((word) => !word.startsWith('-'))
  switch (name) {
    case '':
    case 'true':
    case 'mkdir':
      return passed()
    case 'false':
      return failed()
    case 'echo':
    case 'printf':
      return passed(`${rest.join(' ').replaceAll(String.raw`\n`, '\n')}\n`)
    case 'rm':
      for (const path of operands) remove(files, at(path))
      return passed()
    case 'cp':
      copy(files, at(operands[0]), at(operands[1]))
      return passed()
    case 'mv':
      copy(files, at(operands[0]), at(operands[1]))
      remove(files, at(operands[0]))
      return passed()
    case 'cat':
      return files.has(at(operands[0])) ? passed(files.get(at(operands[0]))) : failed('No such file or directory\n')
    case '!':
      return program(rest, files, cwd).exitCode === 0 ? failed() : passed()
    case 'test':
      return test(rest, at, files)
    case 'grep':
      return files.get(at(operands[1]))?.includes(operands[0] ?? '') ? passed() : failed()
    case 'node':
      return rest[0] === '--check'
        ? passed()
        : rest.includes('--test')
          ? nodeTests(files, cwd, operands)
          : nodeScript(files.get(at(operands[0])), files, cwd)
    case 'sh':
      return rest[0] === '-n' ? passed() : simulatedShell((files.get(at(operands[0])) ?? 'exit 127').trim(), files, cwd)
    case 'npm':
      return npmTest(files, cwd)
    case 'make':
      return make(files, cwd)
    default:
      return { exitCode: 127, output: `sh: 1: ${name}: not found\n` }
  }
}

function test([operator = '', ...operands]: readonly string[], at: (path?: string) => string, files: Files): Ran {
  if (operator === '!') return test(operands, at, files).exitCode === 0 ? failed() : passed()
  if (operator.startsWith('-')) return files.has(at(operands[0])) ? passed() : failed()
  return operator === operands[1] ? passed() : failed()
}

/** What `node --test` would say of these tests and that source. */
function nodeTests(files: Files, cwd: string, named: readonly string[]): Ran {
  const paths = [...files.keys()].filter((path) =>
    named.length > 0 ? named.some((each) => join(cwd, each) === path) : path.startsWith(cwd) && isTest(path),
  )
  const counts = { pass: 0, fail: 0, skipped: 0 }
  for (const path of paths) {
    const lines = (files.get(path) ?? '').split('\n').filter((line) => /^test[.(]/.test(line))
    // A file without a test counts as one that passes, as it does in the real one.
    if (lines.length === 0) counts.pass += 1
    for (const line of lines) {
      if (line.startsWith('test.skip')) counts.skipped += 1
      else if (holds(line, sourceFor(files, cwd))) counts.pass += 1
      else counts.fail += 1
    }
  }
  const tests = counts.pass + counts.fail + counts.skipped
  const summary = [`tests ${tests}`, 'suites 0', `pass ${counts.pass}`, `fail ${counts.fail}`, 'cancelled 0']
  const lines = [...summary, `skipped ${counts.skipped}`, 'todo 0', 'duration_ms 12.5'].map((line) => `ℹ ${line}\n`)
  return { exitCode: counts.fail > 0 ? 1 : 0, output: lines.join('') }
}

function isTest(path: string): boolean {
  return /(?:^|\/)test\/[^/]+\.mjs$|\.test\.mjs$/.test(path)
}

function holds(line: string, source: string): boolean {
  const [, name = '', a = '0', b = '0', wanted = '0'] = /(\w+)\((-?\d+), (-?\d+)\), (-?\d+)/.exec(line) ?? []
  return value(source, name, Number(a), Number(b)) === Number(wanted)
}

function value(source: string, name: string, a: number, b: number): number | undefined {
  const operator = new RegExp(`const ${name} = \\(a, b\\) => a ([-+*]) b`).exec(source)?.[1]
  if (operator === '+') return a + b
  if (operator === '-') return a - b
  return operator === '*' ? a * b : undefined
}

function sourceFor(files: Files, cwd: string): string {
  return files.get(join(cwd, 'src/sum.mjs')) ?? ''
}

function nodeScript(script: string | undefined, files: Files, cwd: string): Ran {
  if (script === undefined) return { exitCode: 1, output: "Error: Cannot find module './script'\n" }
  if (/^process\.exit\(0\)/m.test(script)) return passed()
  const [, name = '', a = '', b = '', wanted = ''] = /(\w+)\((-?\d+), (-?\d+)\) !== (-?\d+)/.exec(script) ?? []
  if (name === '') return passed(/console\.log\('(.*)'\)/.exec(script)?.[1])
  return value(sourceFor(files, cwd), name, Number(a), Number(b)) === Number(wanted)
    ? passed()
    : failed(`${name} is wrong\n`)
}

function npmTest(files: Files, cwd: string): Ran {
  const script = /"test": "([^"]*)"/.exec(files.get(join(cwd, 'package.json')) ?? '')?.[1]
  if (script === undefined) return { exitCode: 1, output: 'npm error Missing script: "test"\n' }
  const settings = files.get(join(cwd, '.npmrc')) ?? ''
  return settings.includes('script-shell') ? passed() : simulatedShell(script, files, cwd)
}

function make(files: Files, cwd: string): Ran {
  const makefile = files.get(join(cwd, 'GNUmakefile')) ?? files.get(join(cwd, 'Makefile'))
  const recipe = /^test:.*\n\t@?(.*)$/m.exec(makefile ?? '')?.[1]
  return recipe === undefined
    ? { exitCode: 2, output: "make: *** No rule to make target 'test'.  Stop.\n" }
    : simulatedShell(recipe, files, cwd)
}

function passed(output = ''): Ran {
  return { exitCode: 0, output }
}

function failed(output = ''): Ran {
  return { exitCode: 1, output }
}

function remove(files: Files, path: string): void {
  for (const each of files.keys()) {
    if (each === path || each.startsWith(`${path}/`)) files.delete(each)
  }
}

function copy(files: Files, from: string, to: string): void {
  const copied = [...files].filter(([path]) => path === from || path.startsWith(`${from}/`))
  for (const [path, content] of copied) files.set(join(to, path.slice(from.length + 1)), content)
}

function join(folder: string, path: string): string {
  if (path === '.' || path === '') return folder
  return folder === '' ? path.replace(/^\.\//, '') : `${folder}/${path.replace(/^\.\//, '')}`
}

/** Words of a command; quotes hold them together. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, first, second, third]) => first ?? second ?? third ?? '',
  )
}
