import { besideLies } from './beside-lies.ts'
import type { Everyday } from './everyday.ts'
import { javascript } from './javascript.ts'
import { other } from './other.ts'
import { places } from './places.ts'
import { python } from './python.ts'
import { turns } from './turns.ts'
import { selected } from './selected.ts'
import { typescript } from './typescript.ts'

export const stories: readonly Everyday[] = [
  ...javascript,
  ...typescript,
  ...python,
  ...other,
  ...turns,
  ...places,
  ...besideLies,
  ...selected,
]
