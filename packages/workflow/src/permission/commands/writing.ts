import { changeOf, changes, type Judge, judged } from '../shell/judgement.ts'
import { options, type Scanned, scan, valuesOf } from '../shell/options.ts'
import { fixedWord, type ShellWord } from '../shell/shell-word.ts'
import { judgeTar, judgeUnzip } from './archives.ts'
import { judgeChmod, judgeChown, letsOthersRun, setsRights } from './modes.ts'
import { judgeRemove } from './removing.ts'

type Fitting = Extract<Scanned, { readonly fits: true }>

/** Commands that change the files that `files` picks out of their words. */
function writer(known: string, files: (scanned: Fitting) => readonly ShellWord[], level?: 'run'): Judge {
  const table = options(known)
  return (args, standing) => {
    const scanned = scan(args, table)
    if (!scanned.fits) return judged('ask', scanned.why)
    const found = changes(files(scanned), standing)
    return level !== undefined && found.level === 'write' ? judged(level, 'changes files that it does not name') : found
  }
}

const operands = ({ operands: all }: Fitting): readonly ShellWord[] => all

/** The last operand, or the folder that an option names. */
function target({ given, operands: all }: Fitting): readonly ShellWord[] {
  const folders = valuesOf(given, '-t', '--target-directory')
  return folders.length > 0 ? folders : all.slice(-1)
}

function operandsAndTarget(scanned: Fitting): readonly ShellWord[] {
  return [...scanned.operands, ...target(scanned)]
}

const copying = `-abdfHiLlnPpRrsTuvxcX -S= -t= --archive --attributes-only --backup? --copy-contents --force --interactive --link
  --dereference --no-dereference --no-clobber --no-preserve= --preserve? --parents --recursive --reflink? --remove-destination
  --sparse= --strip-trailing-slashes --symbolic-link --suffix= --target-directory= --no-target-directory --update? --verbose
  --one-file-system`

const judgeCopy: Judge = (args, standing) => {
  const scanned = scan(args, options(copying))
  if (!scanned.fits) return judged('ask', scanned.why)
  // A link to a file outside is a way out for whatever writes later.
  const links = scanned.given.some(({ name }) => ['-l', '-s', '--link', '--symbolic-link'].includes(name))
  return changes(links ? operandsAndTarget(scanned) : target(scanned), standing)
}

const judgeDd: Judge = (args, standing) => {
  const loose = args.find(({ kind, start }) => kind !== 'fixed' && !/^\w+=/.test(start))
  if (loose !== undefined) return judged('ask', `${loose.text} could name a file to write`)
  const output = args.find(({ value }) => value.startsWith('of='))
  if (output === undefined) return judged('run', 'copies to its output')
  return changeOf({ ...output, value: output.value.slice(3), start: output.start.slice(3) }, standing.place)
}

/** `install` sets the mode of what it copies. */
function installer(known: string, files: (scanned: Fitting) => readonly ShellWord[]): Judge {
  const judge = writer(known, files)
  const table = options(known)
  return (args, standing) => {
    const scanned = scan(args, table)
    const modes = scanned.fits ? valuesOf(scanned.given, '-m', '--mode') : []
    return modes.some(setsRights) ? judged('danger', letsOthersRun) : judge(args, standing)
  }
}

const secondOperand = ({ operands: all }: Fitting): readonly ShellWord[] => all.slice(1)

const compressing =
  '-cdfhklnNqrtvS# -1 -2 -3 -4 -5 -6 -7 -8 -9 --stdout --decompress --force --keep --list --quiet --test --verbose --best --fast --rm'

/** Commands that change the files that they name. */
export const writingCommands: ReadonlyMap<string, Judge> = new Map([
  ['mkdir', writer('-pvZ -m= --parents --mode= --verbose', operands)],
  ['rmdir', writer('-pv --parents --verbose --ignore-fail-on-non-empty', operands)],
  ['touch', writer('-acmfh -d= -r= -t= -A= --date= --reference= --time= --no-create --no-dereference', operands)],
  ['mkfifo', writer('-m= --mode=', operands)],
  ['cp', judgeCopy],
  [
    'mv',
    writer(
      '-bfinTuv -S= -t= --backup? --force --interactive --no-clobber --strip-trailing-slashes --suffix= --target-directory= --no-target-directory --update? --verbose',
      operandsAndTarget,
    ),
  ],
  [
    'ln',
    writer(
      '-bdFfiLnPrsTvh -S= -t= --backup? --force --interactive --logical --no-dereference --physical --relative --symbolic --suffix= --target-directory= --no-target-directory --verbose',
      operandsAndTarget,
    ),
  ],
  [
    'install',
    installer(
      '-bcCdDpv -g= -m= -o= -t= --backup? --compare --directory --group= --mode= --owner= --preserve-timestamps --target-directory= --verbose',
      target,
    ),
  ],
  ['rm', judgeRemove],
  ['rimraf', (args, standing) => judgeRemove([fixedWord('-r'), ...args], standing)],
  ['unlink', writer('', operands)],
  ['shred', writer('-fuvxz -n= -s= --force --iterations= --remove? --size= --verbose --exact --zero', operands)],
  ['tee', writer('-aip --append --ignore-interrupts --output-error?', operands)],
  ['truncate', writer('-co -r= -s= --no-create --io-blocks --reference= --size=', operands)],
  ['chmod', judgeChmod],
  ['chown', judgeChown],
  ['chgrp', judgeChown],
  ['dd', judgeDd],
  [
    'split',
    writer(
      '-dxe -a= -b= -C= -l= -n= --suffix-length= --bytes= --line-bytes= --lines= --number= --numeric-suffixes? --additional-suffix= --verbose',
      secondOperand,
    ),
  ],
  [
    'mktemp',
    writer('-dqut -p= --directory --dry-run --quiet --suffix= --tmpdir?', ({ given, operands: all }) => [
      ...all,
      ...valuesOf(given, '-p', '--tmpdir'),
    ]),
  ],
  ['tar', judgeTar],
  ['unzip', judgeUnzip],
  ['zip', writer('-rqj0123456789mouvyX -x= -i= --recurse-paths --quiet', ({ operands: all }) => all.slice(0, 1))],
  ...['gzip', 'gunzip', 'bzip2', 'bunzip2', 'xz', 'unxz', 'zstd', 'unzstd', 'compress', 'uncompress'].map(
    (name): [string, Judge] => [name, writer(compressing, operands, 'run')],
  ),
])
