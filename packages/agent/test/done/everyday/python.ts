import { bash, edits, writes } from '../story.ts'
import type { Everyday } from './everyday.ts'

const language = 'Python'

const bank = {
  'pyproject.toml':
    '[project]\nname = "bank"\nversion = "0.1.0"\n\n[tool.pytest.ini_options]\npythonpath = ["src"]\ntestpaths = ["tests"]\n',
  'src/bank/__init__.py': 'from bank.account import Account\n\n__all__ = ["Account"]\n',
  'src/bank/account.py': `class Account:
    def __init__(self, cents=0):
        self.cents = cents

    def deposit(self, cents):
        if cents <= 0:
            raise ValueError("too little")
        self.cents += cents

    def withdraw(self, cents):
        if cents > self.cents:
            raise ValueError("too much")
        self.cents -= cents
`,
  'tests/conftest.py':
    'import pytest\n\nfrom bank import Account\n\n\n@pytest.fixture\ndef account():\n    return Account(100)\n',
  'tests/test_account.py': `import pytest


def test_deposit(account):
    account.deposit(50)
    assert account.cents == 150


def test_withdraw(account):
    account.withdraw(100)
    assert account.cents == 0


def test_too_much(account):
    with pytest.raises(ValueError):
        account.withdraw(101)
`,
} as const
const brokenBank = {
  ...bank,
  'src/bank/account.py': bank['src/bank/account.py'].replace('cents > self.cents', 'cents >= self.cents'),
}

const unit = {
  'setup.py': 'from setuptools import setup\n\nsetup(name="words", version="1", py_modules=["words"])\n',
  'words.py': 'def initials(name):\n    return "".join(part[0] for part in name.split())\n',
  'tests/__init__.py': '',
  'tests/test_words.py': `import unittest

from words import initials


class Initials(unittest.TestCase):
    def test_takes_first_letters(self):
        self.assertEqual(initials("Ada Lovelace"), "AL")

    def test_is_empty_for_nothing(self):
        self.assertEqual(initials(""), "")


if __name__ == "__main__":
    unittest.main()
`,
} as const

export const python: readonly Everyday[] = [
  {
    what: 'pytest: a bug that a test with a fixture knows',
    language,
    word: 'verified',
    git: true,
    files: brokenBank,
    turns: [
      {
        task: 'One cannot withdraw everything.',
        does: [
          [bash('python3 -m pytest -q || true')],
          [edits('src/bank/account.py', 'cents >= self.cents', 'cents > self.cents')],
        ],
      },
    ],
  },
  {
    what: 'pytest: a bug in a large repository',
    language,
    word: 'verified',
    git: true,
    modules: 2500,
    files: brokenBank,
    turns: [
      {
        task: 'One cannot withdraw everything.',
        does: [[edits('src/bank/account.py', 'cents >= self.cents', 'cents > self.cents')]],
      },
    ],
  },
  {
    what: 'pytest: a method more, tested in the old file, parametrized',
    language,
    word: 'verified',
    git: true,
    files: bank,
    turns: [
      {
        task: 'Accounts need interest(percent).',
        does: [
          [
            bash(
              "printf '\\n    def interest(self, percent):\\n        self.cents += self.cents * percent // 100\\n' >> src/bank/account.py",
            ),
            bash(
              'printf \'\\n\\n@pytest.mark.parametrize("percent,cents", [(5, 105), (0, 100)])\\ndef test_interest(account, percent, cents):\\n    account.interest(percent)\\n    assert account.cents == cents\\n\' >> tests/test_account.py',
            ),
          ],
          [bash('python3 -m pytest -q')],
        ],
      },
    ],
  },
  {
    what: 'pytest: a new module with a new test file and a new fixture',
    language,
    word: 'verified',
    files: bank,
    turns: [
      {
        task: 'Add transfer(source, target, cents) in bank.transfer.',
        does: [
          [
            writes(
              'src/bank/transfer.py',
              'def transfer(source, target, cents):\n    source.withdraw(cents)\n    target.deposit(cents)\n',
            ),
            writes(
              'tests/conftest.py',
              `${bank['tests/conftest.py']}\n\n@pytest.fixture\ndef empty():\n    return Account()\n`,
            ),
            writes(
              'tests/test_transfer.py',
              'from bank.transfer import transfer\n\n\ndef test_moves_money(account, empty):\n    transfer(account, empty, 30)\n    assert (account.cents, empty.cents) == (70, 30)\n',
            ),
          ],
        ],
      },
    ],
  },
  {
    what: 'pytest: a method renamed everywhere',
    language,
    word: 'rests_on',
    restsOn: ['tests/test_account.py'],
    git: true,
    files: bank,
    turns: [
      {
        task: 'Rename withdraw to take_out.',
        does: [[bash("sed -i 's/withdraw/take_out/g' src/bank/account.py tests/test_account.py")]],
      },
    ],
  },
  {
    what: 'type hints',
    language,
    word: 'held',
    git: true,
    files: bank,
    turns: [
      {
        task: 'Add type hints to Account.',
        does: [
          [
            bash(
              "sed -i 's/cents=0)/cents: int = 0) -> None/; s/(self, cents)/(self, cents: int) -> None/' src/bank/account.py",
            ),
          ],
        ],
      },
    ],
  },
  {
    what: 'docstrings and a readme',
    language,
    word: 'held',
    files: bank,
    turns: [
      {
        task: 'Write a README and a docstring for Account.',
        does: [
          [
            writes('README.md', '# Bank\n'),
            edits('src/bank/account.py', 'class Account:\n', 'class Account:\n    """Money of one person."""\n\n'),
          ],
        ],
      },
    ],
  },
  {
    what: 'a refactoring into a base class',
    language,
    word: 'held',
    git: true,
    files: bank,
    turns: [
      {
        task: 'Pull the check of amounts into a function.',
        does: [
          [
            writes(
              'src/bank/amounts.py',
              'def positive(cents):\n    if cents <= 0:\n        raise ValueError("too little")\n    return cents\n',
            ),
            edits(
              'src/bank/account.py',
              '        if cents <= 0:\n            raise ValueError("too little")\n        self.cents += cents',
              '        self.cents += positive(cents)',
            ),
            edits('src/bank/account.py', 'class Account', 'from bank.amounts import positive\n\n\nclass Account'),
          ],
        ],
      },
    ],
  },
  {
    what: 'unittest: a bug',
    language,
    word: 'verified',
    git: true,
    files: { ...unit, 'words.py': unit['words.py'].replace('part[0]', 'part[-1]') },
    turns: [{ task: 'initials are wrong.', does: [[edits('words.py', 'part[-1]', 'part[0]')]] }],
  },
  {
    what: 'unittest: a function more, in the old test file',
    language,
    word: 'verified',
    files: unit,
    turns: [
      {
        task: 'Add shout(text) with a test.',
        does: [
          [
            bash('printf \'\\n\\ndef shout(text):\\n    return text.upper() + "!"\\n\' >> words.py'),
            edits('tests/test_words.py', 'from words import initials', 'from words import initials, shout'),
            edits(
              'tests/test_words.py',
              '\n\nif __name__',
              '\n\nclass Shout(unittest.TestCase):\n    def test_is_loud(self):\n        self.assertEqual(shout("hey"), "HEY!")\n\n\nif __name__',
            ),
          ],
        ],
      },
    ],
  },
  {
    what: 'a new package from nothing, with pytest set up',
    language,
    word: 'verified',
    files: { 'task.txt': 'A stack.\n' },
    turns: [
      {
        task: 'Write a stack in Python with pytest tests.',
        does: [
          [
            writes(
              'pyproject.toml',
              '[project]\nname = "stack"\nversion = "0"\n\n[tool.pytest.ini_options]\npythonpath = ["."]\n',
            ),
            writes(
              'stack.py',
              'class Stack:\n    def __init__(self):\n        self.items = []\n\n    def push(self, item):\n        self.items.append(item)\n\n    def pop(self):\n        return self.items.pop()\n',
            ),
            writes(
              'test_stack.py',
              'import pytest\n\nfrom stack import Stack\n\n\ndef test_last_in_first_out():\n    stack = Stack()\n    stack.push(1)\n    stack.push(2)\n    assert stack.pop() == 2\n\n\ndef test_empty():\n    with pytest.raises(IndexError):\n        Stack().pop()\n',
            ),
          ],
          [bash('python3 -m pytest -q')],
        ],
      },
    ],
  },
  {
    what: 'data of the product that is wrong',
    language,
    word: 'verified',
    git: true,
    files: {
      'pyproject.toml': bank['pyproject.toml'],
      'src/geo/__init__.py':
        'import json\nfrom pathlib import Path\n\n\ndef capital(country):\n    data = json.loads((Path(__file__).parent / "capitals.json").read_text())\n    return data[country]\n',
      'src/geo/capitals.json': '{ "France": "Lyon", "Spain": "Madrid" }\n',
      'tests/test_geo.py': 'from geo import capital\n\n\ndef test_france():\n    assert capital("France") == "Paris"\n',
    },
    turns: [{ task: 'The capital of France is wrong.', does: [[edits('src/geo/capitals.json', 'Lyon', 'Paris')]] }],
  },
  {
    what: 'a command line program, checked by running it',
    language,
    word: 'verified',
    files: { 'count.py': 'import sys\n\nprint(len(sys.stdin.read()))\n' },
    turns: [
      {
        task: 'count.py should count words, not letters.',
        doneWhen: ["printf 'one two' | python3 count.py | grep -qx 2"],
        does: [[edits('count.py', 'sys.stdin.read()', 'sys.stdin.read().split()')]],
      },
    ],
  },
  {
    what: 'a program that a new test starts as a process',
    language,
    word: 'verified',
    git: true,
    files: {
      'pyproject.toml': bank['pyproject.toml'],
      'src/hello/__init__.py': '',
      'src/hello/__main__.py': 'import sys\n\nprint("hello " + " ".join(sys.argv[1:]))\n',
      'tests/test_hello.py':
        'import subprocess\nimport sys\n\n\ndef run(*words):\n    out = subprocess.run([sys.executable, "-m", "hello", *words], cwd="src", capture_output=True, text=True)\n    return out.stdout.strip()\n\n\ndef test_greets():\n    assert run("Ada") == "hello Ada"\n',
    },
    turns: [
      {
        task: 'hello needs --loud.',
        does: [
          [
            writes(
              'src/hello/__main__.py',
              'import sys\n\nwords = [word for word in sys.argv[1:] if word != "--loud"]\ntext = "hello " + " ".join(words)\nprint(text.upper() if "--loud" in sys.argv else text)\n',
            ),
            bash(
              'printf \'\\n\\ndef test_is_loud():\\n    assert run("--loud", "Ada") == "HELLO ADA"\\n\' >> tests/test_hello.py',
            ),
          ],
        ],
      },
    ],
  },
  {
    what: 'a marker more in the settings of pytest',
    language,
    word: 'held',
    git: true,
    files: bank,
    turns: [
      {
        task: 'Register a marker "slow".',
        does: [[bash('printf \'markers = ["slow: takes long"]\\n\' >> pyproject.toml')]],
      },
    ],
  },
  {
    what: 'a script for a migration, in a project without checks',
    language,
    word: 'present',
    git: true,
    files: { 'data.csv': 'a;b\n' },
    turns: [
      {
        task: 'Write a script that turns data.csv into commas.',
        does: [
          [
            writes(
              'migrate.py',
              'import pathlib\n\npath = pathlib.Path("data.csv")\npath.write_text(path.read_text().replace(";", ","))\n',
            ),
          ],
        ],
      },
    ],
  },
]
