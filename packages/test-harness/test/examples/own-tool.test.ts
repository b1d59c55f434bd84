import { crashMatrix } from '@loader/test-harness'
import { expect, test } from 'vitest'
import { account, pay, type Payment } from '../../examples/own-tool.ts'

test('an invoice is paid once, wherever the process dies', async () => {
  const check = ({ paid, told }: Payment) => expect(told === 'unknown' ? [0, 1] : [1]).toContain(paid)
  const { failures } = await crashMatrix({ mode: 'in-process', prepare: account, scenario: pay, resume: pay, check })
  expect(failures).toEqual([]) // [{ boundary: 18, kind: 'append', label: 'after append tool.finished', message: '…' }]
})
