import type { ReactNode } from 'react';
import { t } from '../i18n/translate.ts';
import { Avatar } from '../ui/avatar.tsx';
import { RoundButton } from '../ui/icon-button.tsx';
import { HangUp, Phone } from '../ui/icons/index.ts';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { useShortcut } from '../ui/shortcuts.ts';
import { Name } from '../ui/text.tsx';
import { useCall, useCallerContext } from './phone-queries.ts';
import type { PhoneCall } from './phone-state.ts';
import { softphone } from './softphone.ts';
import styles from './waiting-caller.module.css';

/** Somebody who calls during a call: seen, not heard. Answering puts the conversation on hold; a call that still rings is given up. */
export function WaitingCaller(props: { call: PhoneCall; during: PhoneCall }): ReactNode {
  const { call, during } = props;
  const { data: context } = useCallerContext(call.number);
  const { data: details } = useCall(call.callId);
  const name = context?.contact?.name || undefined;
  useShortcut('alt+a', () => softphone.answerWaiting());
  return (
    <div role="alertdialog" aria-label={t('Second call')} className={styles['waiting']}>
      <Avatar id={context?.contact?.id ?? call.number} name={name} />
      <p className={styles['who']} aria-live="assertive">
        <strong>{name ? <Name>{name}</Name> : <PhoneNumber value={call.number} />}</strong>{' '}
        <span className={styles['line']}>
          {details ? t('is calling {number}', { number: details.main_number_name }) : t('is calling')}
        </span>
      </p>
      <RoundButton label={t('Decline')} icon={HangUp} tone="bad" hidesWord onPress={() => softphone.declineWaiting()} />
      <RoundButton
        label={during.state === 'active' ? t('Answer and hold') : t('Hang up and answer')}
        icon={Phone}
        tone="good"
        shortcut="Alt A"
        hidesWord
        onPress={() => softphone.answerWaiting()}
      />
    </div>
  );
}
