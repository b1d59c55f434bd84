import type { Step } from '@loader/workflow'

export type StepOf<Type extends Step['type']> = Extract<Step, { type: Type }>
