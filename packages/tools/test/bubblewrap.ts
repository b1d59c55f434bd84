import { childVariables, findContainment, programOnPath } from '@loader/workspace'

const containment = await findContainment(programOnPath('bwrap', childVariables({}), '/nowhere'))

/** Why commands get no namespace here; undefined when they do. */
export const noNamespace = containment.kind === 'namespace' ? undefined : containment.why
