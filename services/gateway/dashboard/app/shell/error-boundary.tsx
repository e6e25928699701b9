import { Component, type ReactNode } from 'react';
import { t } from '../i18n/translate.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { TriangleAlert } from '../ui/icons/index.ts';
import { Page } from '../ui/page.tsx';

interface Props {
  /** What is shown: with something else it is tried again. */
  readonly address: string;
  /** Instead of a page that says what to do. */
  readonly fallback?: ReactNode;
  readonly children: ReactNode;
}

/** Shows a defect of a page instead of an empty window, until one goes to another page; navigation and phone go on. */
export class ErrorBoundary extends Component<Props, { failed: boolean; address: string }> {
  override state = { failed: false, address: this.props.address };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  static getDerivedStateFromProps({ address }: Props, state: { address: string }) {
    return address === state.address ? null : { failed: false, address };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    if (this.props.fallback !== undefined) return this.props.fallback;
    return (
      <Page title={t('This page could not be shown')}>
        <EmptyState
          icon={TriangleAlert}
          title={t('This page could not be shown')}
          action={<Button onPress={() => location.reload()}>{t('Load again')}</Button>}
        >
          {t('Load it again. If it fails again, tell your administrator which page it was.')}
        </EmptyState>
      </Page>
    );
  }
}
