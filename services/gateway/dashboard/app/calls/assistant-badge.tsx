import type { ReactNode } from 'react';
import { t } from '../i18n/translate.ts';
import { Badge } from '../ui/badge.tsx';
import { Bot } from '../ui/icons/index.ts';

export function AssistantBadge(): ReactNode {
  return (
    <Badge tone="accent" icon={Bot}>
      {t('Assistant')}
    </Badge>
  );
}
