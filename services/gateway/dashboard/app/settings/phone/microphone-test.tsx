import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { t } from '../../i18n/translate.ts';
import { microphoneConstraints } from '../../phone/phone-audio.ts';
import { microphoneDenied } from '../../phone/phone-state.ts';
import { Button } from '../../ui/button.tsx';
import { Mic, Square } from '../../ui/icons/index.ts';
import { levelOf } from './level.ts';
import styles from './phone-settings.module.css';

/** Shows how loud the chosen microphone is. */
export function MicrophoneTest(): ReactNode {
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
