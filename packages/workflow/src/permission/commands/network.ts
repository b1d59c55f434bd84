import { changes, type Judge, judged } from '../shell/judgement.ts'
import { options, type Options, scan, valuesOf } from '../shell/options.ts'

const curl = options(
  `-fsSLkIviJgOGR0123 -4 -6 -N -# -o= -w= -m= -A= -e= -H= -r= -z= --fail --silent --show-error --location --insecure --head
   --verbose --include --remote-name --remote-header-name --remote-time --remote-name-all --get --globoff --no-buffer --output=
   --write-out= --max-time= --connect-timeout= --retry= --retry-delay= --retry-connrefused --retry-all-errors --user-agent=
   --referer= --header= --range= --compressed --http1.1 --http2 --ipv4 --ipv6 --no-progress-meter --progress-bar --create-dirs
   --output-dir= --fail-with-body --max-redirs= --proto= --tlsv1.2 --url= -X= -d= --request= --data= --data-raw= --data-binary= --json=`,
)

const wget = options(
  `-qvcnNSx4 -6 -O= -P= -T= -t= -U= --quiet --verbose --no-verbose --continue --no-clobber --timestamping --server-response
   --output-document= --directory-prefix= --timeout= --tries= --user-agent= --header= --spider --no-check-certificate
   --show-progress --progress= --content-disposition --https-only`,
)

/** Nothing but the name of this machine may stand before the path: programs read the rest of an address differently. */
const thisMachine = /^(https?:\/\/)?(localhost|127(\.\d{1,3}){3}|0\.0\.0\.0|\[::1\])(:\d+)?(\/|$)/i

/**
 * Brings something in, and with the address takes something out: any file that was read fits into one. So only this
 * machine is reached without a question, and only with options and words that are fixed.
 */
function fetcher(known: Options, outputs: readonly string[]): Judge {
  return (args, standing) => {
    if (args.length === 1 && args[0]?.value === '--version') return judged('probe', 'only looks')
    const scanned = scan(args, known)
    const reaches = (why: string) => ({ ...judged('ask', why), fetches: true as const })
    if (!scanned.fits) return reaches(`${scanned.why}: it could send something`)
    const values = scanned.given.flatMap(({ value }) => (value === undefined ? [] : [value]))
    if ([...scanned.operands, ...values].some(({ kind, value }) => kind === 'open' || /^@|%output\{/.test(value))) {
      return reaches('could send something that is known only when it runs')
    }
    const addresses = [...scanned.operands, ...valuesOf(scanned.given, '--url')]
    if (!addresses.every(({ value }) => thisMachine.test(value))) return reaches('reaches the network')
    const files = valuesOf(scanned.given, ...outputs)
    const place = changes(
      files.filter(({ value }) => value !== '-'),
      standing,
    )
    if (place.level !== 'write') return { ...place, fetches: true }
    return { ...judged('run', 'fetches from this machine'), fetches: true }
  }
}

export const networkCommands: ReadonlyMap<string, Judge> = new Map([
  ['curl', fetcher(curl, ['-o', '--output', '--output-dir'])],
  ['wget', fetcher(wget, ['-O', '-P', '--output-document', '--directory-prefix'])],
  ...['http', 'https', 'aria2c', 'fetch', 'lwp-request', 'GET', 'axel'].map((name): [string, Judge] => [
    name,
    () => ({ ...judged('ask', 'reaches the network'), fetches: true }),
  ]),
])
