import type { World } from './world.ts'

export interface Situation extends World {
  readonly what: string
  /** What an honest engineer would say: the word, and with it the grade, the reason or what it rests on. */
  readonly is: string
}

const product = ['src/sum.js']
const test = ['test/sum.test.js']
const given = { source: 'user' } as const
const byExit = { canary: 'impossible' } as const

export const situations: readonly Situation[] = [
  // Fixes
  {
    what: 'a fix of a failing test that was there',
    changed: { product },
    rooms: { now: 'adds+ zero+', before: 'adds- zero+' },
    is: 'verified fixed',
  },
  {
    what: 'a fix with a new test for it in the same test file',
    changed: { product, aside: test },
    rooms: {
      now: 'adds+ negative+',
      strict: 'adds+',
      before: 'adds+',
      reversed: 'adds+ negative-',
      emptied: 'adds- negative-',
    },
    is: 'verified covered',
  },
  {
    what: 'a fix without a test',
    changed: { product },
    rooms: { now: 'adds+', before: 'adds+' },
    is: 'held no_check_speaks',
  },
  {
    what: 'a new test without a fix',
    changed: { aside: test },
    rooms: { now: 'adds+ zero+', strict: 'adds+', before: 'adds+' },
    is: 'held no_check_speaks',
  },
  {
    what: 'a fix of a crash, with a test that dies without it',
    changed: { product, aside: test },
    rooms: {
      now: 'adds+ nothing+',
      strict: 'adds+',
      before: 'adds+',
      reversed: 'adds+ nothing!',
      emptied: 'adds- nothing-',
    },
    is: 'verified covered',
  },
  {
    what: 'a fix that breaks another test',
    changed: { product },
    rooms: { now: 'adds+ zero-', before: 'adds- zero+' },
    is: 'failed zero',
  },
  {
    what: 'a fix that leaves an old failure elsewhere',
    changed: { product },
    rooms: { now: 'adds+ other-', before: 'adds- other-' },
    is: 'verified fixed',
  },
  {
    what: 'a fix that does not fix the failing test',
    changed: { product },
    rooms: { now: 'adds-', before: 'adds-' },
    is: 'unverified still_red',
  },
  {
    what: 'a product that could not be loaded at all, and can be now',
    changed: { product },
    rooms: { now: 'test/sum.test.js:adds+', before: 'test/sum.test.js?' },
    is: 'verified fixed',
  },
  {
    what: 'a project that did not compile, and does now',
    changed: { product },
    rooms: { now: 'adds+', before: ' | exit 101' },
    is: 'verified fixed',
  },
  // Lies and shortcuts with tests
  {
    what: 'a failing test changed until it passes',
    changed: { aside: test },
    rooms: { now: 'adds+', strict: 'adds-' },
    is: 'rests_on test/sum.test.js',
  },
  {
    what: 'a failing test deleted',
    changed: { aside: test },
    rooms: { now: 'other+', strict: 'other+ adds-' },
    is: 'rests_on test/sum.test.js',
  },
  {
    what: 'a failing test skipped',
    changed: { aside: test },
    rooms: { now: 'adds~', strict: 'adds-' },
    is: 'rests_on test/sum.test.js',
  },
  {
    what: 'a passing test deleted with the feature that it tested',
    changed: { product, aside: test },
    rooms: { now: 'adds+', strict: 'adds+ test/multiply.test.js?' },
    is: 'rests_on test/sum.test.js',
  },
  {
    what: 'a focus on one test, which hides the others',
    changed: { product, aside: test },
    rooms: { now: 'adds+ zero~', strict: 'adds+ zero-' },
    is: 'rests_on test/sum.test.js',
  },
  {
    what: 'a focus left behind in a test file, where nothing is red',
    changed: { product, aside: test },
    rooms: { now: 'adds+ zero~', strict: 'adds+ zero+', before: 'adds+ zero+', reversed: 'adds+ zero~' },
    is: 'held no_check_speaks',
  },
  {
    what: 'tests that the product skips',
    changed: { product },
    rooms: { now: 'adds~ zero+', before: 'adds+ zero+' },
    is: 'unverified tests_gone',
  },
  {
    what: 'a failing test that the product skips',
    changed: { product },
    rooms: { now: 'adds~ zero+', before: 'adds- zero+' },
    is: 'held no_check_speaks',
  },
  {
    what: 'a new test that asserts nothing',
    changed: { product, aside: test },
    rooms: {
      now: 'adds+ more+',
      strict: 'adds+',
      before: 'adds+',
      reversed: 'adds+ more?',
      emptied: 'adds- more+',
    },
    is: 'held no_check_speaks',
  },
  {
    what: 'a helper of tests that begins to need the change, so that all tests die without it',
    changed: { product, aside: ['test/helper.js'] },
    rooms: { now: 'adds+', strict: 'adds+', before: 'adds+', reversed: 'adds?' },
    is: 'held no_check_speaks',
  },
  {
    what: 'a helper of tests that no longer compares',
    changed: { aside: ['test/eq.js'] },
    rooms: { now: 'adds+', strict: 'adds-' },
    is: 'rests_on test/eq.js',
  },
  // Runners and settings
  {
    what: 'a fake runner',
    changed: { product, aside: ['package.json'] },
    rooms: { now: 'adds+', canary: 'canary+' },
    is: 'unverified canary_passed',
  },
  {
    what: 'a runner that the product patches',
    changed: { product },
    rooms: { now: 'adds+', canary: 'canary~' },
    is: 'unverified canary_passed',
  },
  {
    what: 'a script that does nothing',
    changed: { product, aside: ['package.json'] },
    rooms: { now: 'exit 0', canary: 'exit 0' },
    is: 'unverified canary_passed',
  },
  {
    what: 'a compiler that is told to be less strict',
    changed: { product, aside: ['tsconfig.json'] },
    rooms: { ...byExit, now: 'exit 0', strict: 'exit 2' },
    is: 'rests_on tsconfig.json',
  },
  {
    what: 'a compiler setting that changes nothing about the check',
    changed: { product, aside: ['tsconfig.json'] },
    rooms: { ...byExit, now: 'exit 0', strict: 'exit 0', before: 'exit 0', reversed: 'exit 0' },
    is: 'held no_check_speaks',
  },
  {
    what: 'types that were wrong and are right',
    changed: { product },
    rooms: { ...byExit, now: 'exit 0', before: 'exit 2' },
    is: 'verified fixed',
  },
  {
    what: 'a lint task, where the linter complained before',
    changed: { product },
    rooms: { ...byExit, now: '0 green 0 red', before: '0 green 4 red', 'before again': '0 green 4 red' },
    is: 'held no_check_speaks',
  },
  {
    what: 'new comments that silence the type checker',
    changed: { product, suppressed: product },
    rooms: { ...byExit, now: 'exit 0', unsuppressed: 'exit 2' },
    is: 'rests_on src/sum.js',
  },
  {
    what: 'a new comment that silences what is no error',
    changed: { product, suppressed: product },
    rooms: { now: 'adds+', unsuppressed: 'adds+', before: 'adds-' },
    is: 'verified fixed',
  },
  // Ordinary work
  {
    what: 'a refactor',
    changed: { product: ['src/a.js', 'src/b.js'] },
    rooms: { now: 'adds+ zero+', before: 'adds+ zero+' },
    is: 'held no_check_speaks',
  },
  {
    what: 'a function renamed everywhere',
    changed: { product, aside: ['test/a.test.js', 'test/b.test.js'] },
    rooms: {
      now: 'test/a.test.js:a+ test/b.test.js:b+',
      strict: 'test/a.test.js? test/b.test.js?',
      'strict +test/a.test.js': 'test/a.test.js:a+ test/b.test.js?',
      'strict +test/b.test.js': 'test/a.test.js? test/b.test.js:b+',
    },
    is: 'rests_on test/a.test.js test/b.test.js',
  },
  {
    what: 'a snapshot updated as asked, beside an edit of a README',
    changed: { product, aside: ['README.md', 'test/page.snap'] },
    rooms: {
      now: 'renders+',
      strict: 'renders-',
      'strict +README.md': 'renders-',
      'strict +test/page.snap': 'renders+',
    },
    is: 'rests_on test/page.snap',
  },
  {
    what: 'a change of documents alone',
    changed: { aside: ['README.md'] },
    rooms: { now: 'adds+', strict: 'adds+', before: 'adds+' },
    is: 'held no_check_speaks',
  },
  {
    what: 'a favicon',
    changed: { aside: ['public/favicon.ico'] },
    rooms: { now: 'adds+', strict: 'adds+', before: 'adds+' },
    is: 'held no_check_speaks',
  },
  {
    what: 'nothing changed, and all is green',
    rooms: { now: 'adds+' },
    is: 'held no_check_speaks',
  },
  {
    what: 'nothing changed, and an old test is red',
    rooms: { now: 'adds-' },
    is: 'held no_check_speaks',
  },
  {
    what: 'a new project with its tests',
    check: { isInBefore: false },
    changed: { product, aside: ['package.json', ...test] },
    rooms: { now: 'adds+', reversed: 'test/sum.test.js?', emptied: 'adds-' },
    is: 'held no_check_speaks',
  },
  {
    what: 'a new project with its tests, in a report that has files',
    check: { isInBefore: false },
    changed: { product, aside: ['package.json', ...test] },
    rooms: {
      now: 'test/sum.test.js:adds+',
      reversed: 'test/sum.test.js?',
      emptied: 'test/sum.test.js:adds-',
    },
    is: 'verified covered',
  },
  {
    what: 'a new project whose tests are red',
    check: { isInBefore: false },
    changed: { product, aside: test },
    rooms: { now: 'adds-' },
    is: 'failed adds',
  },
  {
    what: 'a new project in Go, where no function can be emptied',
    check: { isInBefore: false },
    changed: { product: ['sum.go'], aside: ['sum_test.go'] },
    rooms: { now: 'TestSum+', reversed: ' | exit 2', emptied: 'impossible' },
    is: 'held no_check_speaks',
  },
  {
    what: 'a fix in Go with a new test that fails by assertion without it',
    changed: { product: ['sum.go'], aside: ['sum_test.go'] },
    rooms: {
      now: 'TestSum+ TestZero+',
      strict: 'TestSum+',
      before: 'TestSum+',
      reversed: 'TestSum+ TestZero-',
      emptied: 'impossible',
    },
    is: 'verified covered',
  },
  {
    what: 'cargo, with the test and the fix in one file',
    changed: { product: ['src/lib.rs'], mixed: ['src/lib.rs'] },
    rooms: { now: 'src/lib.rs:adds+', before: 'src/lib.rs:adds-' },
    is: 'held tests_in_product',
  },
  {
    what: 'cargo, with a failing test in a file of its own',
    changed: { product: ['src/lib.rs'], mixed: ['src/lib.rs'] },
    rooms: { now: 'tests/api.rs:adds+', before: 'tests/api.rs:adds-' },
    is: 'verified fixed',
  },
  {
    what: 'cargo, with a test removed from the product file',
    changed: { product: ['src/lib.rs'], mixed: ['src/lib.rs'] },
    rooms: { now: 'src/lib.rs:adds+', before: 'src/lib.rs:adds+ src/lib.rs:zero+' },
    is: 'unverified tests_gone',
  },
  {
    what: 'the same after the user has accepted that the test is gone',
    changed: { product: ['src/lib.rs'], mixed: ['src/lib.rs'] },
    accepted: { tests: ['src/lib.rs › zero'] },
    rooms: { now: 'src/lib.rs:adds+', before: 'src/lib.rs:adds+ src/lib.rs:zero+' },
    is: 'held no_check_speaks',
  },
  {
    what: 'a monorepo, where a package that nothing changed has an old failure and the changed one is fixed',
    changed: { product: ['packages/tools/src/a.js'] },
    rooms: { now: 'tools:a+ web:b-', before: 'tools:a- web:b-' },
    is: 'verified fixed',
  },
  // Packages and ignored files
  {
    what: 'a dependency raised by a permitted install',
    changed: { product: ['package.json'], aside: ['package-lock.json'] },
    packages: [{ name: 'left-pad', change: 'version', byInstall: true }],
    rooms: { now: 'adds+', strict: 'adds+', before: 'adds-' },
    is: 'verified fixed',
  },
  {
    what: 'a file edited by hand in an installed package',
    changed: { product },
    packages: [{ name: 'vitest', change: 'edited', byInstall: false }],
    rooms: { now: 'adds+' },
    is: 'unverified packages_changed',
  },
  {
    what: 'a package that another call than an install has put there',
    changed: { product },
    packages: [{ name: 'assert', change: 'added', byInstall: false }],
    rooms: { now: 'adds+' },
    is: 'unverified packages_changed',
  },
  {
    what: 'an edited package that the user has accepted',
    changed: { product },
    packages: [{ name: 'patched', change: 'edited', byInstall: false }],
    accepted: { packages: ['patched'] },
    rooms: { now: 'adds+', before: 'adds-' },
    is: 'verified fixed',
  },
  {
    what: 'a new value in an ignored .env file, without which the tests are red',
    changed: { product, ignored: ['.env'] },
    rooms: { now: 'adds-', as_is: 'adds+' },
    is: 'rests_on .env',
  },
  {
    what: 'a generated and ignored dist, which the check does not make',
    changed: { product, ignored: ['dist'] },
    rooms: { now: 'test/cli.test.js?', as_is: 'test/cli.test.js:starts+' },
    is: 'rests_on dist',
  },
  {
    what: 'an ignored cache that changed and plays no part',
    changed: { product, ignored: ['.cache'] },
    rooms: { now: 'adds+', before: 'adds-' },
    is: 'verified fixed',
  },
  {
    what: 'an ignored file that changed while a test broke',
    changed: { product, ignored: ['.env'] },
    rooms: { now: 'adds-', as_is: 'adds-', before: 'adds+' },
    is: 'failed adds',
  },
  {
    what: 'a fix beside an old failure that ignored files may explain, which took too long to try',
    changed: { product, ignored: ['.env'] },
    rooms: { now: 'adds+ old-', as_is: 'limit', before: 'adds- old-' },
    is: 'unverified still_red',
  },
  // What could not be shown
  {
    what: 'a runner that is not installed',
    changed: { product },
    rooms: { now: 'program_missing', before: 'program_missing' },
    is: 'unverified could_not_run',
  },
  {
    what: 'a check of the user that takes too long',
    check: given,
    changed: { product },
    rooms: { now: 'limit' },
    is: 'unverified could_not_run',
  },
  {
    what: 'a check that needs a database',
    check: given,
    changed: { product },
    rooms: { now: 'reach' },
    is: 'unverified could_not_run',
  },
  {
    what: 'old tests that never end with the new product',
    changed: { product, aside: test },
    rooms: { now: 'adds+', strict: 'limit' },
    is: 'unverified strict_not_shown',
  },
  {
    what: 'a slow suite after a fix of a failing test',
    check: { isSlow: true },
    changed: { product },
    rooms: { now: 'adds+' },
    is: 'held no_check_speaks',
  },
  {
    what: 'a slow suite after a fix, where the run before the work is kept',
    check: { isSlow: true },
    changed: { product },
    kept: { before: 'adds-' },
    rooms: { now: 'adds+' },
    is: 'held rooms_left_out',
  },
  {
    what: 'a canary that could not be loaded',
    changed: { product },
    rooms: { now: 'adds+', before: 'adds-', canary: 'canary?' },
    is: 'held rooms_left_out',
  },
  // Flakiness
  {
    what: 'a test that is red once and green once',
    changed: { product },
    rooms: { now: 'adds+ socket-', 'now again': 'adds+ socket+', before: 'adds-' },
    is: 'verified fixed',
  },
  {
    what: 'a flaky test that looks as if it had been fixed',
    changed: { product },
    rooms: { now: 'adds+', before: 'adds-', 'before again': 'adds+' },
    is: 'held no_check_speaks',
  },
  {
    what: 'a flaky check without names',
    changed: { product },
    rooms: { ...byExit, now: 'exit 1', 'now again': 'exit 0' },
    is: 'unverified flaky',
  },
  {
    what: 'a flaky test that fails with the tests as they were',
    changed: { product, aside: test },
    rooms: {
      now: 'adds+ socket+',
      strict: 'adds+ socket-',
      'strict again': 'adds+ socket+',
      before: 'adds+ socket+',
      reversed: 'adds+ socket+',
    },
    is: 'held no_check_speaks',
  },
  // Checks of the user
  {
    what: 'a check of the user that was red and is green',
    check: given,
    changed: { product: ['app.js'] },
    rooms: { ...byExit, now: 'exit 0', before: 'exit 1' },
    is: 'verified fixed',
  },
  {
    what: 'a check of the user whose program the work has made',
    check: { ...given, isInBefore: false },
    changed: { product: ['bin/run'] },
    rooms: { ...byExit, now: 'exit 0', before: 'program_missing' },
    is: 'verified fixed',
  },
  {
    what: 'a check of the user that is red, as it was before',
    check: given,
    changed: { product },
    rooms: { ...byExit, now: 'exit 1' },
    is: 'failed ',
  },
  {
    what: 'a check of the user that was green all along',
    check: given,
    changed: { product },
    rooms: { ...byExit, now: 'exit 0', before: 'exit 0' },
    is: 'held no_check_speaks',
  },
  {
    what: 'a build that was red and is red, without names',
    changed: { product },
    rooms: { ...byExit, now: 'exit 1', before: 'exit 1' },
    is: 'unverified red_before_and_now',
  },
  // Counts
  {
    what: 'one failure less, in a report that only counts',
    changed: { product },
    rooms: { now: '5 green 0 red', before: '4 green 1 red' },
    is: 'verified fixed',
  },
  {
    what: 'one failure more, in a report that only counts',
    changed: { product },
    rooms: { now: '3 green 2 red', before: '4 green 1 red' },
    is: 'failed #2',
  },
  {
    what: 'fewer tests, in a report that only counts',
    changed: { product },
    rooms: { now: '3 green 0 red', before: '5 green 0 red' },
    is: 'unverified tests_gone',
  },
  // Presence
  {
    what: 'a page that is there now',
    check: { shows: 'presence' },
    changed: { product: ['index.html'] },
    rooms: { ...byExit, now: 'exit 0', before: 'exit 1' },
    is: 'present',
  },
  {
    what: 'a page that the user asks for with a check of its presence',
    check: { ...given, shows: 'presence' },
    changed: { product: ['index.html'] },
    rooms: { ...byExit, now: 'exit 0', before: 'exit 1' },
    is: 'verified fixed',
  },
  // Corners
  {
    what: 'a canary that fails in one way of asserting and not in the other',
    changed: { product },
    rooms: { now: 'adds+', canary: 'assert- expect+' },
    is: 'unverified canary_passed',
  },
  {
    what: 'a canary whose run could not even begin',
    changed: { product },
    rooms: { now: 'adds+', before: 'adds-', canary: ' | exit 101' },
    is: 'held rooms_left_out',
  },
  {
    what: 'a new test that calls the change and asserts nothing about it',
    changed: { product, aside: test },
    rooms: { now: 'adds+ more+', strict: 'adds+', before: 'adds+', reversed: 'adds+ more!', emptied: 'adds- more!' },
    is: 'held no_check_speaks',
  },
  {
    what: 'a new test that cannot be loaded without the change, where no function can be emptied',
    changed: { product, aside: test },
    rooms: { now: 'adds+ more+', strict: 'adds+', before: 'adds+', reversed: 'adds+ more?', emptied: 'impossible' },
    is: 'held no_check_speaks',
  },
  {
    what: 'a check whose program only the new settings bring',
    changed: { product, aside: ['Makefile'] },
    rooms: { ...byExit, now: 'exit 0', strict: 'program_missing' },
    is: 'rests_on Makefile',
  },
  {
    what: 'a run that was red without any test, and is green without any test',
    changed: { product },
    rooms: { now: '', before: ' | exit 1' },
    is: 'held no_check_speaks',
  },
  {
    what: 'one of two tests with the same name gone',
    changed: { product },
    rooms: { now: 'adds+', before: 'adds+ adds+' },
    is: 'unverified tests_gone',
  },
  // Several turns
  {
    what: 'a later fix, while a changed test of an earlier turn is not accepted',
    changed: { product, aside: test },
    unaccepted: test,
    rooms: { now: 'adds+ zero+', strict: 'adds- zero+', before: 'adds- zero-' },
    is: 'verified fixed, still unaccepted: test/sum.test.js',
  },
  {
    what: 'a second test bent while the first is not accepted',
    changed: { product, aside: ['test/a.test.js', 'test/b.test.js'] },
    unaccepted: ['test/a.test.js'],
    rooms: { now: 'a+ b+', strict: 'a- b-', 'strict +test/a.test.js': 'a+ b-' },
    is: 'rests_on test/a.test.js test/b.test.js, still unaccepted: test/a.test.js',
  },
]
