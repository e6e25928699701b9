import type { ReactNode } from 'react';
import { t } from '../i18n/translate.ts';
import { Badge } from '../ui/badge.tsx';

/** Whether it answers calls, or they go to the fallback at once. */
export function AssistantState({ isActive }: { isActive: boolean }): ReactNode {
  return <Badge tone={isActive ? 'good' : 'neutral'}>{isActive ? t('Active') : t('Not active')}</Badge>;
}
