import { changes, type Judge, judged } from '../shell/judgement.ts'
import { options, scan, valuesOf } from '../shell/options.ts'

/** Archives are listed, written by name, or unpacked to wherever they say. */
export const judgeTar: Judge = (args, standing) => {
  const [first, ...rest] = args
  if (first === undefined) return judged('run', 'does nothing')
  const bundled =
    first.kind === 'fixed' && /^[a-zA-Z]+$/.test(first.value)
      ? { ...first, value: `-${first.value}`, start: `-${first.value}` }
      : first
  const scanned = scan([bundled, ...rest], archive)
  if (!scanned.fits) return judged('ask', scanned.why)
  const { given, operands: names } = scanned
  const files = valuesOf(given, '-f', '--file')
  const has = (...options: readonly string[]): boolean => given.some(({ name }) => options.includes(name))
  if (files.some(({ value }) => value.includes(':'))) return judged('ask', 'reads the archive from another machine')
  if (has('-t', '--list')) {
    const isFixed = files.every(({ kind }) => kind === 'fixed') && names.every(({ kind }) => kind !== 'open')
    return isFixed && !has('-x', '-c', '-r', '-u') && scanned.loose === undefined
      ? judged('probe', 'only looks')
      : judged('run', 'may do more than list')
  }
  if (has('-c', '--create', '-r', '-u'))
    return scanned.loose === undefined ? changes(files, standing) : judged('run', 'a file could be taken for an option')
  if (has('-P')) return judged('ask', 'unpacks files to wherever the archive says')
  const place = changes(valuesOf(given, '-C', '--directory'), standing)
  return place.level === 'write' ? judged('run', 'unpacks files that it does not name') : place
}

const archive = options(
  `-xctvzjJaphkmOPru -f= -C= --extract --get --create --list --verbose --gzip --bzip2 --xz --zstd --auto-compress --file=
   --directory= --strip-components= --exclude= --no-same-owner --to-stdout --keep-old-files --overwrite --wildcards`,
)

/** Listed, or unpacked to wherever the archive says. */
export const judgeUnzip: Judge = (args, standing) => {
  const scanned = scan(args, options('-lvZqtonjuCLa -d= -x='))
  if (!scanned.fits) return judged('ask', scanned.why)
  if (scanned.given.some(({ name }) => ['-l', '-v', '-Z', '-t'].includes(name))) return judged('probe', 'only looks')
  const place = changes(valuesOf(scanned.given, '-d'), standing)
  return place.level === 'write' ? judged('run', 'unpacks files that it does not name') : place
}
