import { TriangleAlert } from 'lucide-react';
import { Component, type ReactNode } from 'react';
import { t } from '../i18n/translate.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
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
