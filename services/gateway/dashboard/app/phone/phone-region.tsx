import { type ReactNode, useEffect, useRef } from 'react';
import { queryClient } from '../api/query-client.ts';
import { queryKeys } from '../api/query-keys.ts';
import { t } from '../i18n/translate.ts';
import { Dot, type Tone } from '../ui/badge.tsx';
import { classes } from '../ui/classes.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Grip } from '../ui/icons/index.ts';
import { Switch } from '../ui/switch.tsx';
import { CurrentCall } from './current-call.tsx';
import { Dialler } from './dialler.tsx';
import { toggleDialler, useDialler } from './dialler-state.ts';
import { DoNotDisturbSwitch } from './do-not-disturb.tsx';
import { IncomingCall } from './incoming-call.tsx';
import styles from './phone-region.module.css';
import type { PhoneState } from './phone-state.ts';
import { softphone } from './softphone.ts';
import { HeldCall, WaitingCaller } from './other-call.tsx';

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
