import { bash, edits, writes } from '../story.ts'
import type { Everyday } from './everyday.ts'

const language = 'other'

export const other: readonly Everyday[] = [
  {
    what: 'a shell script of a project with a Makefile',
    language,
    // What is run and what is only read by a script of a check look the same.
    word: 'rests_on',
    restsOn: ['backup.sh'],
    git: true,
    files: {
      Makefile: '.PHONY: test\ntest:\n\tsh test/backup-test.sh\n',
      'backup.sh': '#!/bin/sh\nset -e\ncp "$1" "$1.back"\n',
      'test/backup-test.sh':
        '#!/bin/sh\nset -e\nfolder=$(mktemp -d)\necho hello > "$folder/a.txt"\nsh backup.sh "$folder/a.txt"\ntest "$(cat "$folder/a.txt.bak")" = hello\necho ok\n',
    },
    turns: [{ task: 'Backups should end in .bak.', does: [[edits('backup.sh', '$1.back', '$1.bak')]] }],
  },
  {
    what: 'a target more in a Makefile',
    language,
    word: 'held',
    git: true,
    files: {
      Makefile: 'test:\n\tsh test.sh\n',
      'run.sh': 'echo hello\n',
      'test.sh': 'test "$(sh run.sh)" = hello\n',
    },
    turns: [{ task: 'Add make clean.', does: [[bash("printf '\\nclean:\\n\\trm -rf out\\n' >> Makefile")]] }],
  },
  {
    what: 'a page of a site without checks',
    language,
    word: 'present',
    git: true,
    files: { 'index.html': '<h1>Home</h1>\n', 'style.css': 'h1 { color: red }\n' },
    turns: [
      {
        task: 'Add an about page and link it.',
        does: [
          [
            writes('about.html', '<h1>About</h1>\n'),
            edits('index.html', '</h1>', '</h1>\n<a href="about.html">About</a>'),
          ],
        ],
      },
    ],
  },
  {
    what: 'cargo: a bug that an integration test knows',
    language,
    word: 'verified',
    git: true,
    files: {
      'Cargo.toml': '[package]\nname = "adder"\nversion = "0.1.0"\nedition = "2021"\n',
      '.gitignore': 'target\n',
      'src/lib.rs': 'pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n',
      'tests/adds.rs':
        '#[test]\nfn adds() {\n    assert_eq!(adder::add(1, 2), 3);\n}\n\n#[test]\nfn adds_nothing() {\n    assert_eq!(adder::add(1, 0), 1);\n}\n',
    },
    turns: [{ task: 'add is wrong.', does: [[edits('src/lib.rs', 'a - b', 'a + b')]] }],
  },
  {
    what: 'cargo: a bug that a test in the same file knows',
    language,
    word: 'verified',
    git: true,
    files: {
      'Cargo.toml': '[package]\nname = "adder"\nversion = "0.1.0"\nedition = "2021"\n',
      '.gitignore': 'target\n',
      'src/lib.rs': 'pub mod sum;\n',
      'src/sum.rs':
        'pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert_eq!(super::add(1, 2), 3);\n    }\n}\n',
    },
    turns: [{ task: 'add is wrong.', does: [[edits('src/sum.rs', 'a - b', 'a + b')]] }],
  },
  {
    what: 'a page of documentation in a folder that is no project',
    language,
    word: 'present',
    files: { 'notes/one.md': '# One\n' },
    turns: [{ task: 'Start a second page.', does: [[writes('notes/two.md', '# Two\n')]] }],
  },
]
