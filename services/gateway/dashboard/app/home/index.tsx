import type { ReactNode } from 'react';
import { Page } from '../ui/page.tsx';
import { t } from '../i18n/translate.ts';

export default function HomePages(): ReactNode {
  return <Page title={t('Home')}>{null}</Page>;
}
