import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, at, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { t } from '../i18n/translate.ts';
import { announce } from '../ui/announcements.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { RoundButton } from '../ui/icon-button.tsx';
import { HangUp, Phone, Play } from '../ui/icons/index.ts';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { useShortcut } from '../ui/shortcuts.ts';
import { Name } from '../ui/text.tsx';
import styles from './other-call.module.css';
import { useCall, useCallerContext } from './phone-queries.ts';
import type { PhoneCall } from './phone-state.ts';
import { softphone } from './softphone.ts';

/** Somebody who calls during a call: seen, not heard. Answering puts the conversation on hold; a call that still rings is given up. */
export function WaitingCaller(props: { call: PhoneCall; during: PhoneCall }): ReactNode {
  const { call, during } = props;
  const { data: details } = useCall(call.callId);
  useShortcut('alt+a', () => softphone.answerWaiting());
  return (
    <div role="alertdialog" aria-label={t('Second call')} className={styles['waiting']}>
      <Who call={call} isNews>
        <span className={styles['line']}>
          {details ? t('is calling {number}', { number: details.main_number_name }) : t('is calling')}
        </span>
      </Who>
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

/** The conversation that waits while one talks in another: one can change between them. */
export function HeldCall({ call }: { call: PhoneCall }): ReactNode {
  const resume = useMutation({
    mutationFn: (id: string) => ok(api.PUT('/api/v1/calls/{id}/hold', { ...at(id), body: { on: false } })),
    onSuccess: () => softphone.resumeHeld(),
    // The other one is on hold now.
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.calls }),
    onError: (error) => announce(t('That did not work. {reason}', { reason: error.message })),
  });
  return (
    <section aria-label={t('Call on hold')} className={styles['waiting']}>
      <Who call={call}>
        <span className={styles['held']}>{t('On hold')}</span>
      </Who>
      <RoundButton
        label={t('Resume')}
        icon={Play}
        hidesWord
        isDisabled={resume.isPending || call.callId === null}
        onPress={() => call.callId !== null && resume.mutate(call.callId)}
      />
    </section>
  );
}

function Who({ call, isNews, children }: { call: PhoneCall; isNews?: boolean; children: ReactNode }): ReactNode {
  const { data: context } = useCallerContext(call.number);
  const name = context?.contact?.name || undefined;
  return (
    <>
      <Avatar id={context?.contact?.id ?? call.number} name={name} />
      <p className={styles['who']} aria-live={isNews ? 'assertive' : undefined}>
        <strong>{name ? <Name>{name}</Name> : <PhoneNumber value={call.number} />}</strong> {children}
      </p>
    </>
  );
}
