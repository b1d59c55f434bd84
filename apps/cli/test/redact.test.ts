import { describe, expect, test } from 'vitest'
import { Redactor } from '../src/redact/redactor.ts'

const redactor = () => new Redactor(new Uint8Array(32).fill(7))
const letters = 'AbCdEfGhIjKlMnOpQrStUvWxYz0123456789'
const pem = '-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nabc\n-----END RSA PRIVATE KEY-----'

describe('what looks like a secret is replaced', () => {
  test.each([
    ['github', `ghp_${letters}`],
    ['github', `github_pat_${letters}`],
    ['gitlab', `glpat-${letters.slice(0, 20)}`],
    ['anthropic', `sk-ant-api03-${letters}`],
    ['openrouter', `sk-or-v1-${letters}`],
    ['openai', `sk-proj-${letters}`],
    ['openai', `sk-${letters}`],
    ['stripe', `sk_live_${letters}`],
    ['aws', 'AKIAIOSFODNN7EXAMPLE'],
    ['slack', 'xoxb-123456789012-abcdefABCDEF'],
    ['npm', `npm_${letters}`],
    ['pypi', `pypi-${letters}${letters}`],
    ['huggingface', `hf_${letters}`],
    ['google', `AIza${letters.slice(0, 35)}`],
    ['groq', `gsk_${letters}${letters}`],
    ['sendgrid', `SG.${letters.slice(0, 20)}.${letters}`],
    ['telegram', `123456789:AA${letters.slice(0, 33)}`],
    ['jwt', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U'],
    ['private-key', pem],
    ['private-key', pem.slice(0, -40)],
  ])('%s: %s', (kind, secret) => {
    const text = redactor().text(`before ${secret}`)
    expect(text).toMatch(new RegExp(`^before \\[secret:${kind}:[0-9a-f]{4}\\]$`))
  })

  test.each([
    ['postgres://user:hunter22@db.example:5432/app', 'postgres://[secret:database:XXXX]@db.example:5432/app'],
    ['https://me:t0psecret@host.example/x', 'https://[secret:url:XXXX]@host.example/x'],
    ['Authorization: Bearer abcdefghij0123456789', 'Authorization: Bearer [secret:header:XXXX]'],
    ['x-api-key: abcdefghij0123456789', 'x-api-key: [secret:header:XXXX]'],
    ['export DATABASE_PASSWORD="correct-horse"', 'export DATABASE_PASSWORD="[secret:variable:XXXX]"'],
    ['GITHUB_TOKEN=0123456789abcdef', 'GITHUB_TOKEN=[secret:variable:XXXX]'],
    ['//npm.example.invalid/:_authToken=0123456789', '//npm.example.invalid/:_authToken=[secret:npm:XXXX]'],
    ['aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', 'aws_secret_access_key = [secret:aws:XXXX]'],
    ['AccountKey=AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGh==;x', 'AccountKey=[secret:azure:XXXX];x'],
  ])('and what stands around it stays: %s', (text, expected) => {
    expect(
      redactor()
        .text(text)
        .replace(/:[0-9a-f]{4}\]/g, ':XXXX]'),
    ).toBe(expected)
  })

  test.each([
    'The task is to sk-ip this.',
    'const token = tokenizer.next()',
    'API_KEY=$API_KEY',
    'API_KEY=<your key>',
    'https://example.com/path?x=1@y',
    'git@github.com:owner/name.git',
    'commit 0123456789abcdef0123456789abcdef01234567',
    'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'A Bearer of news, and Basic arithmetic',
    'ses_1m7q90x5kjdjessyffnt call_1m7q91hr1w8wqd1a1hxy',
    'hf_hub_download is a function',
  ])('nothing else is: %s', (text) => {
    expect(redactor().text(text)).toBe(text)
  })
})

test('equal secrets have equal marks, different ones different marks, and another key other marks', () => {
  const one = redactor()
  const [first, second] = [`ghp_${letters}`, `ghp_${letters.toLowerCase()}`]
  const text = one.text(`${first} ${second} ${first}`)
  const marks = text.split(' ')
  expect(marks[0]).toBe(marks[2])
  expect(marks[0]).not.toBe(marks[1])
  expect(one.count).toBe(2)
  expect(new Redactor(new Uint8Array(32).fill(8)).text(first)).not.toBe(marks[0])
})

test('two secrets never share a mark, however many there are', () => {
  const one = redactor()
  const marks = new Set<string>()
  for (let number = 0; number < 2000; number += 1) marks.add(one.text(`AKIA${String(number).padStart(16, '0')}`))
  expect(marks.size).toBe(2000)
})

test('marks stay as they are when a text goes through again', () => {
  const once = redactor().text(`TOKEN=${letters} and sk-ant-${letters}`)
  expect(redactor().text(once)).toBe(once)
})

test('every text in a value is looked at, and names of fields stay', () => {
  const secret = `sk-ant-${letters}`
  const value = redactor().value({ [secret.slice(0, 5)]: [secret, { deep: `x ${secret}` }], number: 1, nothing: null })
  expect(JSON.stringify(value)).not.toContain(secret)
  expect(Object.keys(value as object)).toEqual([secret.slice(0, 5), 'number', 'nothing'])
})

test('a secret is found behind a long text, whatever that is made of', () => {
  const text = [
    'a',
    ' ',
    'x:y@',
    '-----BEGIN PRIVATE KEY-----',
    'eyJ',
    'A_B',
    'http://',
    'TOKEN',
    'aws secret ',
    'Bearer  ',
    '\n',
  ]
    .map((part) => part.repeat(3_000))
    .join(' ')
  const secret = `sk-ant-${letters}`
  expect(redactor().text(`${text} ${secret}`)).not.toContain(secret)
})

test('a secret that is known is replaced whatever it looks like, the longer one first', () => {
  const known = new Redactor(new Uint8Array(32).fill(7), ['plain words', 'plain words and more', 'short'])
  const text = known.text('plain words and more, plain words, short')
  expect(text).toMatch(/^\[secret:credential:\w+\], \[secret:credential:\w+\], short$/)
  expect(known.count).toBe(2)
})
