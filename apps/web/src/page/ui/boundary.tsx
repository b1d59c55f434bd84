import { Component, type ComponentChildren } from 'preact'
import { Failed } from './parts.tsx'

interface BoundaryProps {
  readonly children: ComponentChildren
}

interface BoundaryState {
  readonly why: string | null
}

/** Says that a part of the page cannot be shown, and leaves all other parts as they are. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { why: null }

  static override getDerivedStateFromError(error: unknown): BoundaryState {
    return { why: error instanceof Error ? error.message : String(error) }
  }

  override render({ children }: BoundaryProps, { why }: BoundaryState) {
    if (why === null) return children
    return <Failed title="This part cannot be shown." why={`${why}. The other views are not concerned.`} />
  }
}
