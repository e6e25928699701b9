import { type ReactNode, useEffect, useState } from 'react';
import { t } from '../i18n/translate.ts';
import { Button } from '../ui/button.tsx';
import { Mic } from '../ui/icons/index.ts';
import { Failure } from '../ui/query-state.tsx';
import { closeMicrophone, openMicrophone, talkOn } from './browser-microphone.ts';
import { useLeg } from './customer-leg.tsx';
import styles from './customer-phone.module.css';

/** Makes the browser the customer's phone: of the current call, and of those that follow. */
export function MicrophoneControl({ legId }: { legId: string | undefined }): ReactNode {
  const [isOn, setIsOn] = useState(false);
  const [microphone, setMicrophone] = useState<MediaStream>();
  const [error, setError] = useState<Error>();
  const [talking, setTalking] = useState<string>();
  const { data: leg } = useLeg(legId);
  const connected = leg?.state === 'connected' || leg?.state === 'on_hold' ? leg.leg_id : undefined;

  useEffect(() => {
    if (!isOn) return undefined;
    let opened: MediaStream | undefined;
    let isGone = false;
    openMicrophone().then(
      (stream) => {
        opened = stream;
        if (isGone) closeMicrophone(stream);
        else setMicrophone(stream);
      },
      (cause: unknown) => {
        setIsOn(false);
        setError(new Error(t('The microphone cannot be used. Allow it in the browser, then try again.'), { cause }));
      },
    );
    return () => {
      isGone = true;
      if (opened) closeMicrophone(opened);
      setMicrophone(undefined);
    };
  }, [isOn]);

  useEffect(() => {
    if (!microphone || connected === undefined) return undefined;
    const ending = new AbortController();
    talkOn(connected, microphone, ending.signal).then(
      () => {
        if (!ending.signal.aborted) setTalking(connected);
      },
      (failure: Error) => {
        if (ending.signal.aborted) return;
        setIsOn(false);
        setError(failure);
      },
    );
    return () => {
      ending.abort();
      setTalking(undefined);
    };
  }, [microphone, connected]);

  return (
    <div className={styles['microphone']}>
      <Button
        icon={Mic}
        block
        aria-pressed={isOn}
        onPress={() => {
          setError(undefined);
          setIsOn(!isOn);
        }}
      >
        {t('Talk with your microphone')}
      </Button>
      {error && <Failure error={error} />}
      <p role="status" className={styles['quiet']}>
        {isOn && stateText(connected, talking)}
      </p>
    </div>
  );
}

function stateText(connected: string | undefined, talking: string | undefined): string {
  if (connected === undefined) return t('The microphone is ready: call.');
  return connected === talking
    ? t('You are the customer: you talk with your microphone.')
    : t('Connecting the microphone…');
}
