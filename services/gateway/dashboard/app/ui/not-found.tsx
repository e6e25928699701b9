import type { ReactNode } from 'react';
import { t } from '../i18n/translate.ts';
import { ButtonLink } from './button.tsx';
import { EmptyState } from './empty-state.tsx';
import { Compass } from './icons/index.ts';
import { Page } from './page.tsx';

/** Shown for an address that does not exist, or not for this company. */
export function NotFound(): ReactNode {
  return (
    <Page title={t('Not found')}>
      <EmptyState
        icon={Compass}
        title={t('There is nothing at this address.')}
        action={<ButtonLink href="~/dashboard/inbox">{t('Go to the inbox')}</ButtonLink>}
      >
        {t('It may have been removed.')}
      </EmptyState>
    </Page>
  );
}
