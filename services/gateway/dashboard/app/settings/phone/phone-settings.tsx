import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { t } from '../../i18n/translate.ts';
import { MicrophoneChoice } from '../../phone/microphone-choice.tsx';
import { microphoneConstraints } from '../../phone/phone-audio.ts';
import { microphoneDenied } from '../../phone/phone-state.ts';
import { chooseAudible, isAudible, Ringer } from '../../phone/ringer.ts';
import { Button } from '../../ui/button.tsx';
import { Bell, Mic, Square, Volume2 } from '../../ui/icons/index.ts';
import { Section } from '../../ui/page.tsx';
import { Switch } from '../../ui/switch.tsx';
import { SettingsPage } from '../settings-page.tsx';
import { SupervisionNotice } from '../supervision.tsx';
import { levelOf } from './level.ts';
import { OwnCalls } from './own-calls.tsx';
import styles from './phone-settings.module.css';

/** The phone of this browser: what it hears, how it rings. */
export function PhoneSettings(): ReactNode {
  return (
    <SettingsPage title={t('Calls and sounds')} path="/settings/phone">
      <Section title={t('Microphone')} description={t('For calls in this browser.')}>
        <MicrophoneChoice />
        <MicrophoneTest />
      </Section>
      <OwnCalls />
      <SupervisionNotice />
      <Sounds />
      <WindowNotifications />
    </SettingsPage>
  );
}

function Sounds(): ReactNode {
  const [audible, setAudible] = useState(isAudible);
  const [ringer] = useState(() => new Ringer());
  return (
    <Section title={t('Sounds')}>
      <div className={styles['row']}>
        <Switch
          label={t('Ring when somebody calls')}
          checked={audible}
          onChange={(isOn) => {
            chooseAudible(isOn);
            setAudible(isOn);
          }}
        />
        <Button size="s" icon={Volume2} onPress={() => ringer.try()}>
          {t('Listen')}
        </Button>
      </div>
    </Section>
  );
}

/** Notifications of calls while another window is in front. */
function WindowNotifications(): ReactNode {
  const [permission, setPermission] = useState(() => ('Notification' in window ? Notification.permission : 'denied'));
  return (
    <Section
      title={t('Notifications in this browser')}
      description={t('Say who calls while you work in another window.')}
    >
      {permission === 'default' ? (
        <Button icon={Bell} onPress={() => void Notification.requestPermission().then(setPermission)}>
          {t('Allow notifications')}
        </Button>
      ) : (
        <p role="status">
          {permission === 'granted'
            ? t('Notifications are allowed.')
            : t('Notifications are blocked. Allow them for this site in your browser.')}
        </p>
      )}
    </Section>
  );
}

/** Shows how loud the chosen microphone is. */
function MicrophoneTest(): ReactNode {
  const [isOn, setIsOn] = useState(false);
  const [isDenied, setIsDenied] = useState(false);
  return (
    <div className={styles['test']}>
      <Button
        icon={isOn ? Square : Mic}
        onPress={() => {
          setIsDenied(false);
          setIsOn(!isOn);
        }}
      >
        {isOn ? t('Stop the test') : t('Test the microphone')}
      </Button>
      {isOn && (
        <Meter
          onDenied={() => {
            setIsDenied(true);
            setIsOn(false);
          }}
        />
      )}
      <p role="status" className={styles['hint']}>
        {isDenied ? microphoneDenied() : isOn ? t('Say something: the bar moves when you are heard.') : ''}
      </p>
    </div>
  );
}

function Meter({ onDenied }: { onDenied: () => void }): ReactNode {
  const [level, setLevel] = useState(0);
  const tellDenied = useEffectEvent(onDenied);
  useEffect(() => {
    const stopped = new AbortController();
    followMicrophone(setLevel, stopped.signal).catch(() => {
      if (!stopped.signal.aborted) tellDenied();
    });
    return () => stopped.abort();
  }, []);
  return (
    <div
      role="meter"
      aria-label={t('Level')}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={level}
      className={styles['meter']}
    >
      <span style={{ width: `${level}%` }} />
    </div>
  );
}

async function followMicrophone(show: (level: number) => void, stopped: AbortSignal): Promise<void> {
  const stream = await navigator.mediaDevices.getUserMedia(microphoneConstraints());
  const context = new AudioContext();
  const end = () => {
    for (const track of stream.getTracks()) track.stop();
    void context.close();
  };
  if (stopped.aborted) return end();
  const analyser = new AnalyserNode(context, { fftSize: 1024 });
  new MediaStreamAudioSourceNode(context, { mediaStream: stream }).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  let frame = requestAnimationFrame(function measure() {
    analyser.getFloatTimeDomainData(samples);
    show(levelOf(samples));
    frame = requestAnimationFrame(measure);
  });
  stopped.addEventListener('abort', () => {
    cancelAnimationFrame(frame);
    end();
  });
}
