import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { businessNumbersQuery } from '../api/shared-queries.ts';
import { t } from '../i18n/translate.ts';
import { Button } from '../ui/button.tsx';
import { MEDIUM } from '../ui/icon.ts';
import { PlainIconButton } from '../ui/icon-button.tsx';
import { Phone } from '../ui/icons/index.ts';
import { softphone } from './softphone.ts';

/** Calls somebody from this browser: from the given business number, or from the first. */
export function CallButton(props: {
  phoneNumber: string;
  /** The id of the business number. */
  from?: string | null | undefined;
  variant?: 'primary' | 'secondary';
  size?: 's' | 'm';
  /** What it says; "Call" unless given. */
  label?: string;
  /** Only the icon, as in a row. */
  iconOnly?: boolean;
}): ReactNode {
  const call = useCallTo(props.phoneNumber, props.from);
  if (props.iconOnly)
    return (
      <PlainIconButton label={t('Call')} disabled={!call} onClick={() => call?.()}>
        <Phone {...MEDIUM} />
      </PlainIconButton>
    );
  return (
    <Button
      icon={Phone}
      variant={props.variant ?? 'secondary'}
      size={props.size}
      isDisabled={!call}
      onPress={() => call?.()}
    >
      {props.label ?? t('Call')}
    </Button>
  );
}

/** Undefined while no call is possible, such as during another call. */
export function useCallTo(phoneNumber: string, from?: string | null): (() => void) | undefined {
  const { data: numbers = [] } = useQuery(businessNumbersQuery);
  const { call } = softphone.useState();
  const sender = numbers.find(({ id }) => id === from) ?? numbers[0];
  if (!sender || call || !phoneNumber.startsWith('+')) return undefined;
  return () => softphone.dial(phoneNumber, sender.number);
}
