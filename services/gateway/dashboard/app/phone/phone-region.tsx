import { type ReactNode, useEffect, useRef } from 'react';
import { useMutation } from '@tanstack/react-query';
import { api, at, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { t } from '../i18n/translate.ts';
import { announce } from '../ui/announcements.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Dot, type Tone } from '../ui/badge.tsx';
import { classes } from '../ui/classes.ts';
import { IconButton, RoundButton } from '../ui/icon-button.tsx';
import { Grip, HangUp, Phone, Play } from '../ui/icons/index.ts';
import { PhoneNumber } from '../ui/phone-number.tsx';
import { useShortcut } from '../ui/shortcuts.ts';
import { Switch } from '../ui/switch.tsx';
import text from '../ui/text.module.css';
import { Name } from '../ui/text.tsx';
import { CurrentCall } from './current-call.tsx';
import { toggleDialler, useDialler } from './dialler-state.ts';
import { Dialler } from './dialler.tsx';
import { DoNotDisturbSwitch } from './do-not-disturb.tsx';
import { IncomingCall } from './incoming-call.tsx';
import { useCall, useCallerContext } from './phone-queries.ts';
import styles from './phone-region.module.css';
import type { PhoneCall, PhoneState } from './phone-state.ts';
import { softphone } from './softphone.ts';

/** The phone of this browser, on every page. */
export function PhoneRegion(): ReactNode {
  const state = softphone.useState();
  useEffect(() => softphone.restore(), []);
  const { call, waiting, held, isEnabled, notice, registration } = state;
  const region = useReturnedFocus(call !== null);
  useEffect(() => {
    // The employee's status has changed with it.
    void queryClient.invalidateQueries({ queryKey: queryKeys.employees });
  }, [registration]);
  const isDialling = useDialler();
  const isRinging = call?.direction === 'incoming' && call.state === 'ringing';
  return (
    // React Aria leaves what has this attribute usable while a dialog is open: a call can always be answered.
    <section ref={region} aria-label="Phone" className={styles['phone']} data-react-aria-top-layer="true">
      {isRinging && <IncomingCall call={call} />}
      {call && !isRinging && (
        <div className={styles['calls']}>
          {waiting && <WaitingCaller call={waiting} during={call} />}
          {held && <HeldCall call={held} />}
          <CurrentCall key={call.number} call={call} isOneOfTwo={held !== null} />
        </div>
      )}
      <div className={styles['presence']}>
        <div className={styles['row']}>
          <span className={styles['dot']}>
            <Dot tone={toneOf(state)} isLive={call?.state === 'active'} />
          </span>
          <Switch
            tone="good"
            label={t('Available for calls')}
            checked={isEnabled}
            onChange={(wanted) => void softphone.setAvailable(wanted)}
          />
        </div>
        <DoNotDisturbSwitch />
        <span className={styles['open-dialler']}>
          <IconButton
            label={t('Dial')}
            icon={Grip}
            placement="right"
            aria-expanded={isDialling}
            onPress={toggleDialler}
          />
        </span>
      </div>
      <p role="status" className={classes(styles['status'], notice !== null && styles['notice'])}>
        {notice ?? registrationText(state)}
      </p>
      <div className={classes(styles['dialler'], isDialling && styles['open'])}>
        <Dialler isBusy={call !== null} isActive={call?.state === 'active'} />
      </div>
    </section>
  );
}

/** The focus goes back to where it was before a call whose buttons are gone. */
function useReturnedFocus(isInCall: boolean) {
  const region = useRef<HTMLElement>(null);
  const before = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isInCall) return;
    const remember = ({ target }: FocusEvent): void => {
      if (target instanceof HTMLElement) before.current = target;
    };
    document.addEventListener('focusin', remember);
    return () => document.removeEventListener('focusin', remember);
  }, [isInCall]);
  useEffect(() => {
    if (isInCall || document.activeElement !== document.body || !before.current) return;
    // What one reads meanwhile stays in view.
    if (before.current.isConnected) before.current.focus({ preventScroll: true });
    else region.current?.querySelector('input')?.focus();
  }, [isInCall]);
  return region;
}

function toneOf({ call, isEnabled, registration }: PhoneState): Tone {
  if (call?.state === 'active') return 'good';
  if (!isEnabled) return 'neutral';
  return registration === 'registered' ? 'good' : 'warn';
}

function registrationText({ isEnabled, registration }: PhoneState): string {
  if (!isEnabled) return '';
  return registration === 'registered' ? t('This browser takes calls.') : t('Connecting…');
}

/** Somebody who calls during a call: seen, not heard. Answering puts the conversation on hold; a call that still rings is given up. */
function WaitingCaller(props: { call: PhoneCall; during: PhoneCall }): ReactNode {
  const { call, during } = props;
  const { data: details } = useCall(call.callId);
  useShortcut('alt+a', () => softphone.answerWaiting());
  return (
    <div role="alertdialog" aria-label={t('Second call')} className={styles['waiting']}>
      <Who call={call} isNews>
        <span className={text['meta']}>
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
function HeldCall({ call }: { call: PhoneCall }): ReactNode {
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
