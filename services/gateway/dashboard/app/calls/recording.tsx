import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { Call } from '../api/schema.d.ts';
import { phoneText } from '../i18n/phone-number.ts';
import { t } from '../i18n/translate.ts';
import { AudioPlayer } from '../ui/audio-player.tsx';
import { Button } from '../ui/button.tsx';
import { SMALL } from '../ui/icon.ts';
import { Download, FileAudio, RotateCcw } from '../ui/icons/index.ts';
import { Failure } from '../ui/query-state.tsx';
import { AssistedTranscript } from './assistant-conversation.tsx';
import styles from './recording.module.css';
import { employeeNames, isInProgress, recordingPath, remoteNumber } from './call-text.ts';
import { Transcript } from './transcript.tsx';

const STEP_BACK_SECS = 10;

/** The recording of a call and its transcript, whose times jump in the recording. */
export function Recording(props: {
  call: Call;
  personName: string | undefined;
  refetch: () => Promise<Call | undefined>;
}): ReactNode {
  const { call, personName } = props;
  const audio = useRef<HTMLAudioElement>(null);
  const [seconds, setSeconds] = useState(-1);
  const hasRecording = recordingPath(call.recording_url) !== undefined;
  const Words = call.assistant === null ? Transcript : AssistedTranscript;
  const seek = useCallback((to: number) => {
    if (audio.current) audio.current.currentTime = Math.max(0, to);
  }, []);
  function jump(to: number): void {
    seek(to);
    // Refused by a browser that wants a click on the player itself; the place is right all the same.
    audio.current?.play().catch(() => undefined);
  }
  return (
    <>
      <section className={styles['recording']} aria-label={t('Recording')}>
        {hasRecording ? (
          <>
            <Player audio={audio} onResume={seek} call={call} refetch={props.refetch} onTime={setSeconds} />
            <div className={styles['tools']}>
              <Speakers call={call} personName={personName} />
              <Button
                variant="ghost"
                size="s"
                icon={RotateCcw}
                aria-label={t('Back 10 s')}
                onPress={() => jump((audio.current?.currentTime ?? 0) - STEP_BACK_SECS)}
              >
                {t('10 s')}
              </Button>
              <a
                className={styles['download']}
                href={recordingPath(call.recording_url)}
                download
                aria-label={t('Download')}
              >
                <Download {...SMALL} />
              </a>
            </div>
          </>
        ) : (
          <p className={styles['none']}>
            <FileAudio {...SMALL} />
            {isInProgress(call) ? t('The recording is available after the call.') : t('Not recorded')}
          </p>
        )}
      </section>
      <Words call={call} personName={personName} seconds={seconds} onJump={hasRecording ? jump : undefined} />
    </>
  );
}

/** The remote party has the first lane, the team the second. */
function Speakers({ call, personName }: { call: Call; personName: string | undefined }): ReactNode {
  const employee = employeeNames(call)[0] ?? call.assistant?.name;
  return (
    <p className={styles['speakers']}>
      <span className={styles['person']}>
        <bdi>{personName ?? phoneText(remoteNumber(call) ?? t('Unknown number'))}</bdi>
      </span>
      {employee !== undefined && (
        <span className={styles['employee']}>
          <bdi>{employee}</bdi>
        </span>
      )}
    </p>
  );
}

/** Addresses of recordings are valid for a while: each reading of the call has another, and the player keeps its own until it fails. */
function Player(props: {
  audio: RefObject<HTMLAudioElement | null>;
  onResume: (seconds: number) => void;
  call: Call;
  refetch: () => Promise<Call | undefined>;
  onTime: (seconds: number) => void;
}): ReactNode {
  const { audio, onResume } = props;
  const [address, setAddress] = useState(() => recordingPath(props.call.recording_url));
  const [failures, setFailures] = useState(0);
  const resumeAt = useRef(0);
  async function load(): Promise<void> {
    resumeAt.current = audio.current?.currentTime ?? 0;
    const call = await props.refetch();
    setAddress(recordingPath(call?.recording_url ?? null));
  }
  useEffect(() => {
    if (resumeAt.current > 0) onResume(resumeAt.current);
  }, [address, onResume]);
  function fail(): void {
    setFailures((count) => count + 1);
    if (failures === 0) void load();
  }
  return (
    <>
      <AudioPlayer
        label={t('Recording')}
        src={address ?? ''}
        // The duration of a call is that with employees; the recording has the assistant as well.
        length={props.call.assistant === null ? props.call.duration : null}
        size="l"
        audio={audio}
        onError={fail}
        onPlay={() => setFailures(0)}
        onTime={props.onTime}
      />
      {failures > 1 && <Failure error={new Error(t('The recording could not be loaded.'))} onRetry={load} />}
    </>
  );
}
