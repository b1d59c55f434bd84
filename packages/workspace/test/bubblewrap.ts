import { childVariables } from '../src/processes/child-variables.ts'
import { findContainment } from '../src/processes/containment.ts'
import { programOnPath } from '../src/processes/program-on-path.ts'

const containment = await findContainment(programOnPath('bwrap', childVariables({}), '/nowhere'))

/** Why commands get no namespace here; undefined when they do. */
export const noNamespace = containment.kind === 'namespace' ? undefined : containment.why
