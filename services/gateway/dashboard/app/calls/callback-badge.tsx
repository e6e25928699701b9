import type { ReactNode } from 'react';
import type { Callback } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { PhoneCall } from '../ui/icons/index.ts';

const TONES: Readonly<Record<Callback['state'], Tone>> = {
  waiting: 'warn',
  calling: 'accent',
  connected: 'good',
  given_up: 'bad',
};

/** That a caller asked to be called back, and what came of it. */
export function CallbackBadge({ callback }: { callback: Callback | null }): ReactNode {
  return (
    callback && (
      <Badge tone={TONES[callback.state]} icon={PhoneCall}>
        {callbackText(callback.state)}
      </Badge>
    )
  );
}

function callbackText(state: Callback['state']): string {
  return {
    waiting: t('Waits for a callback'),
    calling: t('Is being called back'),
    connected: t('Called back'),
    given_up: t('Callback given up'),
  }[state];
}
