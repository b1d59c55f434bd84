import { expect, test } from 'vitest'
import { PlainHeaders } from '../src/http/plain-headers.ts'

const all = (headers: Iterable<[string, string]>) => Object.fromEntries(headers)

test.each<[string, ConstructorParameters<typeof Headers>[0] & ConstructorParameters<typeof PlainHeaders>[0]]>([
  ['an object', { Authorization: 'Bearer key', 'X-Own': ' spaced ' }],
  ['pairs, one name twice', [['X-Own', 'one'] as [string, string], ['x-own', 'two'] as [string, string]]],
  ['other headers', new Headers({ A: 'b', c: 'd' })],
  ['nothing', {}],
])('headers of %s are those of the platform', (_what, init) => {
  expect(all(new PlainHeaders(init))).toEqual(all(new Headers(init)))
  expect(all(new PlainHeaders(new PlainHeaders(init)))).toEqual(all(new Headers(init)))
})

test('they change as those of the platform do', () => {
  const [ours, theirs] = [PlainHeaders, Headers].map((make) => {
    const headers = new make({ a: '1', b: '2' })
    headers.set('A', '3')
    headers.append('B', ' 4')
    headers.delete('C')
    headers.append('d', '5')
    headers.delete('D')
    const seen: string[] = []
    headers.forEach((value: string, name: string) => seen.push(`${name}: ${value}`))
    return [all(headers.entries()), headers.get('A'), headers.get('none'), headers.has('B'), headers.has('D'), seen]
  })
  expect(ours).toEqual(theirs)
})
