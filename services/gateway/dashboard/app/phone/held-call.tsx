import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, at, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { t } from '../i18n/translate.ts';
import { announce } from '../ui/announcements.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { RoundButton } from '../ui/icon-button.tsx';
import { Play } from '../ui/icons/index.ts';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { Name } from '../ui/text.tsx';
import { useCallerContext } from './phone-queries.ts';
import type { PhoneCall } from './phone-state.ts';
import { softphone } from './softphone.ts';
import styles from './waiting-caller.module.css';

/** The conversation that waits while one talks in another: one can change between them. */
export function HeldCall({ call }: { call: PhoneCall }): ReactNode {
  const { data: context } = useCallerContext(call.number);
  const name = context?.contact?.name || undefined;
  const resume = useMutation({
    mutationFn: (id: string) => ok(api.PUT('/api/v1/calls/{id}/hold', { ...at(id), body: { on: false } })),
    onSuccess: () => softphone.resumeHeld(),
    // The other one is on hold now.
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.calls }),
    onError: (error) => announce(t('That did not work. {reason}', { reason: error.message })),
  });
  return (
    <section aria-label={t('Call on hold')} className={styles['waiting']}>
      <Avatar id={context?.contact?.id ?? call.number} name={name} />
      <p className={styles['who']}>
        <strong>{name ? <Name>{name}</Name> : <PhoneNumber value={call.number} />}</strong>{' '}
        <span className={styles['held']}>{t('On hold')}</span>
      </p>
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
