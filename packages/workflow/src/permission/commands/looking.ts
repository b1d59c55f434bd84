import { changes, type Judge, judged } from '../shell/judgement.ts'
import { options, scan, valuesOf } from '../shell/options.ts'

/** No option and no operand of these writes a file or starts a program, so none of them needs a look. */
const harmless = `
  cat ls dir vdir head tail wc grep egrep fgrep stat du df cut tr cmp nl od hexdump strings tac rev comm join paste fold
  fmt expand unexpand column pr tsort factor numfmt expr seq sleep cksum sum md5sum sha1sum sha224sum sha256sum sha384sum
  sha512sum b2sum md5 shasum basename dirname realpath readlink pathchk pwd whoami id groups logname users who w uname arch
  nproc uptime free tty locale getconf lscpu lsblk lsb_release sw_vers ps pgrep which whereis type printenv cal jq look
  true false : echo exit return break continue shift times jobs dirs zipinfo bc
`

/** Known options only: others write, start programs, or set something. */
const withOptions: Readonly<Record<string, Table>> = {
  base32: { known: '-dDi -w= -b= --decode --ignore-garbage --wrap= --break=' },
  base64: { known: '-dDi -w= -b= --decode --ignore-garbage --wrap= --break=' },
  diff: {
    known: `-abBcdeEiNnpqrstTuwyZ -C= -F= -I= -U= -W= -x= -X= --brief --color? --context? --exclude= --exclude-from=
      --expand-tabs --from-file= --ignore-all-space --ignore-blank-lines --ignore-case --ignore-matching-lines=
      --ignore-space-change --label= --minimal --new-file --no-dereference --normal --recursive --report-identical-files
      --show-c-function --side-by-side --speed-large-files --strip-trailing-cr --suppress-common-lines --text --to-file=
      --unidirectional-new-file --unified? --width= --show-function-line= --ignore-trailing-space`,
  },
  fd: { known: fdOptions() },
  fdfind: { known: fdOptions() },
  file: {
    known: `-bEhiIkLNnprsv0 -e= -F= -f= -m= -P= --brief --dereference --no-dereference --exclude= --files-from= --keep-going
      --mime --mime-type --mime-encoding --no-pad --print0 --raw --separator= --special-files`,
  },
  rg: {
    known: `-abFHIilLnNoPpqsSuUvVwx0c. -A= -B= -C= -d= -e= -E= -f= -g= -j= -m= -M= -r= -t= -T= --after-context=
      --before-context= --binary --block-buffered --byte-offset --case-sensitive --color= --colors= --column --context=
      --context-separator= --count --count-matches --crlf --debug --encoding= --engine= --field-context-separator=
      --field-match-separator= --file= --files --files-with-matches --files-without-match --fixed-strings --follow --glob=
      --glob-case-insensitive --heading --hidden --hyperlink-format= --iglob= --ignore-case --ignore-file=
      --ignore-file-case-insensitive --include-zero --invert-match --json --line-buffered --line-number --line-regexp
      --max-columns= --max-columns-preview --max-count= --max-depth= --max-filesize= --mmap --multiline --multiline-dotall
      --no-config --no-filename --no-heading --no-hidden --no-ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files
      --no-ignore-global --no-ignore-messages --no-ignore-parent --no-ignore-vcs --no-line-number --no-messages --no-mmap
      --no-require-git --no-unicode --null --null-data --one-file-system --only-matching --passthru --path-separator= --pcre2
      --pcre2-version --pretty --quiet --regexp= --replace= --smart-case --sort= --sortr= --stats --stop-on-nonmatch --text
      --threads= --trace --trim --type= --type-add= --type-clear= --type-list --type-not= --unrestricted --vimgrep
      --with-filename --word-regexp`,
  },
  sort: {
    known: `-bcCdfghiMmnrRsuVz -k= -t= -S= --check? --debug --dictionary-order --field-separator= --files0-from=
      --general-numeric-sort --human-numeric-sort --ignore-case --ignore-leading-blanks --ignore-nonprinting --key= --merge
      --month-sort --numeric-sort --parallel= --random-sort --reverse --sort= --stable --unique --version-sort
      --zero-terminated --batch-size= --buffer-size= -o= --output=`,
    outputs: ['-o', '--output'],
  },
  tree: {
    known: `-aACdfFDghilnNpqrsStuvxQJXUc -H= -I= -L= -P= -T= --charset= --dirsfirst --du --filelimit= --gitignore --inodes
      --device --matchdirs --noreport --prune --si --timefmt= --sort? --fromfile --ignore-case --filesfirst -o=`,
    outputs: ['-o'],
  },
  uniq: {
    known: `-cdDiuz -f= -s= -w= --all-repeated? --check-chars= --count --group? --ignore-case --repeated --skip-chars=
      --skip-fields= --unique --zero-terminated`,
    mostOperands: 1,
  },
  xxd: { known: '-abCeEiu -c= -g= -l= -o= -s= -n= -R= -p --plain', mostOperands: 1 },
  zcat: { known: '-fv' },
}

function fdOptions(): string {
  return `-aFgHiIlLpqsu0 -c= -d= -e= -E= -j= -S= -t= -T= --absolute-path --and= --case-sensitive --changed-before=
    --changed-within= --color= --exclude= --exact-depth= --extension= --fixed-strings --follow --full-path --glob --hidden
    --ignore-case --ignore-file= --list-details --max-depth= --max-results= --min-depth= --no-follow --no-hidden --no-ignore
    --no-ignore-parent --no-ignore-vcs --no-require-git --one-file-system --owner= --path-separator= --print0 --prune
    --quiet --regex --show-errors --size= --threads= --type= --unrestricted`
}

interface Table {
  readonly known: string
  /** What is more than these is written. */
  readonly mostOperands?: number
  /** Their values are files to write. */
  readonly outputs?: readonly string[]
}

function judgeWith({ known, mostOperands = Infinity, outputs = [] }: Table): Judge {
  const table = options(known)
  return (args, standing) => {
    const scanned = scan(args, table)
    if (!scanned.fits) return judged(scanned.level, scanned.why)
    const { given, operands, loose } = scanned
    if (loose !== undefined) return judged('run', `a file that ${loose.text} matches could be taken for an option`)
    if (mostOperands < Infinity && operands.some(({ kind }) => kind === 'glob')) {
      return judged('run', 'could get more than one file, and writes the second')
    }
    const written = valuesOf(given, ...outputs)
    const files = [...written, ...operands.slice(mostOperands)]
    return files.length > 0 ? changes(files, standing) : judged('probe', 'only looks')
  }
}

/** Commands that look, and change nothing unless they are told to write a file. */
export const lookingCommands: ReadonlyMap<string, Judge> = new Map([
  ...harmless
    .trim()
    .split(/\s+/)
    .map((name): [string, Judge] => [name, () => judged('probe', 'only looks')]),
  ...Object.entries(withOptions).map(([name, table]): [string, Judge] => [name, judgeWith(table)]),
])
