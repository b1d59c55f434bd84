import type { Move } from '@loader/workflow'

export type MoveOf<Type extends Move['type']> = Extract<Move, { type: Type }>
