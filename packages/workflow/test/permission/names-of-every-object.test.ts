import { expect, test } from 'vitest'
import { decidePermission } from '../../src/permission/decide-permission.ts'
import { bash, place, policy } from './calls.ts'

test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('a program may be called %s', (name) => {
  expect(decidePermission(bash(`${name} x`), policy('prompt'), [], place).permit).toBe('ask')
})
