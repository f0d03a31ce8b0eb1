/**
 * Keeps a part of the page that cannot be drawn from taking the rest with it.
 * I1. What went wrong is told in the place of that part, and in the console of the browser.
 */
import { Component, type JSX, type ReactNode } from 'react';

interface BoundaryProps {
  /** What is not there, such as `This record`. */
  readonly what: string;
  readonly children: ReactNode;
}

export class Boundary extends Component<BoundaryProps, { readonly broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError(): { readonly broken: boolean } {
    return { broken: true };
  }

  override render(): ReactNode {
    return this.state.broken ? <Broken what={this.props.what} /> : this.props.children;
  }
}

function Broken({ what }: { readonly what: string }): JSX.Element {
  return <p className="problem">{what} cannot be shown. The export of its Session has all of it.</p>;
}
