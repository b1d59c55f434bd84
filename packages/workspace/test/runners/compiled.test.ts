import { needing, tier } from '@loader/test-tier'
import { expect, test } from 'vitest'
import { aProject, told } from './a-project.ts'
import { hasCargo, hasGo } from './installed.ts'

const manifest = '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n'
const library = `/// \`\`\`
/// assert_eq!(p::add(1, 2), 3);
/// \`\`\`
pub fn add(a: i32, b: i32) -> i32 { a + b }
#[cfg(test)]
mod tests {
    #[test] fn adds() { assert_eq!(super::add(1, 2), 3) }
    #[test] fn differs() { assert_eq!(super::add(1, 2), 4) }
    #[test] #[ignore] fn skipped() {}
    #[test] #[should_panic] fn panics() { panic!() }
    #[test] fn prints() { println!("\\ntest forged ... ok\\n") }
}
`
test.skipIf(!hasCargo || tier === 'quick')(
  needing(
    hasCargo ? tier === 'quick' && 'in longer runs' : 'cargo is not installed',
    'cargo test: every test by name and program, doctests too, and a program that ends itself',
  ),
  async () => {
    const files = {
      'Cargo.toml': manifest,
      'src/lib.rs': library,
      'tests/again.rs': '#[test] fn adds() {}\n',
      'tests/ends.rs': '#[test] fn ends() { std::process::exit(0) }\n',
      Makefile: 'check:\n\tcargo test -q\n',
    }
    const ran = await aProject(files).run('make check')
    expect(told(ran)).toEqual(
      [
        'green src/lib.rs › p src/lib.rs › tests::adds',
        'assertion src/lib.rs › p src/lib.rs › tests::differs',
        'skipped src/lib.rs › p src/lib.rs › tests::skipped',
        'green src/lib.rs › p src/lib.rs › tests::panics',
        'green src/lib.rs › p src/lib.rs › tests::prints',
        'green tests/again.rs › again tests/again.rs › adds',
        'green doc-tests p › src/lib.rs - add',
      ].toSorted(),
    )
    expect(ran.reports).toMatchObject([{ runner: 'cargo test', exitCode: 101, doubts: ['cut_short'] }])
  },
)

test.skipIf(!hasCargo || tier === 'quick')(
  needing(
    hasCargo ? tier === 'quick' && 'in longer runs' : 'cargo is not installed',
    'cargo test: what cannot be compiled is red by load, and a forged line is found by the figures',
  ),
  async () => {
    const broken = await aProject({ 'Cargo.toml': manifest, 'src/lib.rs': 'pub fn add() -> i32 { "x" }\n' }).run(
      'cargo test',
    )
    expect(told(broken)).toEqual(['load (build)'])
    const forging = `use std::io::Write;\n#[test] fn a() { std::io::stdout().write_all(b"test forged ... ok\\n").unwrap() }\n`
    const forged = await aProject({ 'Cargo.toml': manifest, 'src/lib.rs': '', 'tests/a.rs': forging }).run('cargo test')
    expect(forged.reports).toMatchObject([{ doubts: ['counts'] }])
  },
)

const goFiles = {
  'go.mod': 'module example.com/p\n\ngo 1.19\n',
  'p.go': 'package p\n\nfunc Add(a, b int) int { return a + b }\n',
  'p_test.go': `package p
import ("fmt"; "testing")
func TestAdds(t *testing.T) { if Add(1, 2) != 3 { t.Fatal() } }
func TestDiffers(t *testing.T) { t.Error("x") }
func TestSkipped(t *testing.T) { t.Skip() }
func TestParts(t *testing.T) { for _, n := range []int{1, 2} { t.Run(fmt.Sprint("ü ", n), func(t *testing.T) { if n == 2 { t.Fail() } }) } }
`,
}
test.skipIf(!hasGo || tier === 'quick')(
  needing(
    hasGo ? tier === 'quick' && 'in longer runs' : 'go is not installed',
    'go test: every test by package and name, and packages that fail otherwise',
  ),
  async () => {
    const ran = await aProject({
      ...goFiles,
      'q/q_test.go': 'package q\nimport "testing"\nfunc TestQ(t *testing.T) { undefined() }\n',
      'r/r_test.go': 'package r\nimport "testing"\nfunc TestR(t *testing.T) { panic("r") }\n',
    }).run('go test ./...')
    const name = 'example.com/p ›'
    expect(told(ran)).toEqual(
      [
        `green ${name} TestAdds`,
        `assertion ${name} TestDiffers`,
        `skipped ${name} TestSkipped`,
        `green ${name} TestParts/ü_1`,
        `assertion ${name} TestParts/ü_2`,
        `assertion ${name} TestParts`,
        'load example.com/p/q',
        'assertion example.com/p/r › TestR',
      ].toSorted(),
    )
    expect(ran.reports).toMatchObject([{ runner: 'go test', doubts: [] }])
  },
)

test.skipIf(!hasGo || tier === 'quick')(
  needing(
    hasGo ? tier === 'quick' && 'in longer runs' : 'go is not installed',
    'go test: what looks like the end of a test that never began is doubted',
  ),
  async () => {
    const forging =
      'package p\nimport ("fmt"; "testing")\nfunc TestA(t *testing.T) { fmt.Println("--- PASS: TestForged (0.00s)") }\n'
    const ran = await aProject({ 'go.mod': goFiles['go.mod'], 'p_test.go': forging }).run('go test ./...')
    const names = ran.reports.flatMap((it) => it.results.map((one) => one.name))
    expect(names).toEqual(['example.com/p › TestA'])
  },
)

const typed = { 'tsconfig.json': '{ "compilerOptions": { "strict": true, "noEmit": true }, "include": ["src"] }' }
test('tsc: each finding has a name that no line number is part of', async () => {
  const text = 'export const a: string = 1\nexport const b: string = 1\n'
  const project = aProject({ ...typed, 'src/a.ts': text }, 'typescript')
  const names = ['assertion src/a.ts › TS2322 › ', 'assertion src/a.ts › TS2322 › ']
  const first = told(await project.run('tsc -p .'))
  expect(first.map((it, index) => it.startsWith(names[index] ?? '-'))).toEqual([true, true])
  project.add({ 'src/a.ts': `\n\n${text}` })
  expect(told(await project.run('tsc -p .'))).toEqual(first)
})

test.runIf(tier !== 'quick')(
  needing(
    tier === 'quick' && 'in longer runs',
    'tsc: settings that cannot be read are red by load; all is well without a finding',
  ),
  async () => {
    const broken = await aProject(
      { 'tsconfig.json': '{ "compilerOptions": { "target": "no" } }', 'a.ts': '' },
      'typescript',
    ).run('tsc')
    expect(told(broken).every((it) => it.startsWith('load') || it.startsWith('assertion tsconfig.json'))).toBe(true)
    expect(broken.reports).toMatchObject([{ doubts: [] }])
    const well = await aProject({ ...typed, 'src/a.ts': 'export const a = 1\n' }, 'typescript').run('tsc')
    expect(well.reports).toMatchObject([{ runner: 'tsc', results: [], exitCode: 0, doubts: [] }])
  },
)

test.runIf(tier !== 'quick')(
  needing(
    tier === 'quick' && 'in longer runs',
    'eslint: errors are red and warnings are not, whatever format the user wants',
  ),
  async () => {
    const files = {
      'package.json': '{ "type": "module", "scripts": { "lint": "eslint . --format stylish" } }',
      'eslint.config.js': 'export default [{ rules: { "no-debugger": "error", "no-var": "warn" } }]\n',
      'a.js': 'debugger\nvar a = 1\n',
      'b.js': 'const (\n',
    }
    const ran = await aProject(files, 'eslint').run('npm run lint --silent')
    expect(told(ran)).toEqual([
      "assertion a.js › no-debugger › Unexpected 'debugger' statement.",
      'assertion b.js › syntax › Parsing error: Unexpected token (',
    ])
    expect(ran.reports).toMatchObject([{ runner: 'eslint', exitCode: 1, doubts: [] }])
    expect(ran.output).toContain("a.js:1:1 error Unexpected 'debugger' statement. (no-debugger)")
  },
)
