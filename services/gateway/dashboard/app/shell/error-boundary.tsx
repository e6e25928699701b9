import { Component, type ReactNode } from 'react';
import { Page } from '../ui/page.tsx';

/** Shows a defect of a page instead of an empty window; navigation and phone go on. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <Page title="This page could not be shown">
        <p>Load it again. If it fails again, tell your administrator which page it was.</p>
        <button type="button" onClick={() => location.reload()}>
          Load again
        </button>
      </Page>
    );
  }
}
