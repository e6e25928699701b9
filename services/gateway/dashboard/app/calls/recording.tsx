import { type ReactNode, type RefObject, useRef, useState } from 'react';
import type { Call, CallTranscriptSegment } from '../api/schema.d.ts';
import { duration } from '../ui/duration.ts';
import { QueryState } from '../ui/query-state.tsx';
import { useTranscript } from './call-queries.ts';
import { isChanging, isInProgress, recordingPath, remoteNumber } from './call-text.ts';

/** The recording of a call and its transcript, whose times jump in the recording. */
export function Recording(props: {
  call: Call;
  personName: string | undefined;
  refetch: () => Promise<Call | undefined>;
}): ReactNode {
  const { call } = props;
  const audio = useRef<HTMLAudioElement>(null);
  const [seconds, setSeconds] = useState(-1);
  const hasRecording = recordingPath(call.recording_url) !== undefined;
  function jump(to: number): void {
    if (!audio.current) return;
    audio.current.currentTime = to;
    // Refused by a browser that wants a click on the player itself; the place is right all the same.
    audio.current.play().catch(() => undefined);
  }
  return (
    <>
      <section aria-labelledby="recording">
        <h2 id="recording">Recording</h2>
        {hasRecording ? (
          <Player audio={audio} call={call} refetch={props.refetch} onTime={setSeconds} />
        ) : (
          <p className="soft">{isInProgress(call) ? 'Available after the call.' : 'There is no recording.'}</p>
        )}
      </section>
      <section aria-labelledby="transcript">
        <h2 id="transcript">Transcript</h2>
        {call.transcription_segments === null ? (
          <p className="soft">{missingTranscript(call)}</p>
        ) : (
          <Transcript
            call={call}
            personName={props.personName}
            seconds={seconds}
            onJump={hasRecording ? jump : undefined}
          />
        )}
      </section>
    </>
  );
}

/** Addresses of recordings are valid for a while: each reading of the call has another, and the player keeps its own until it fails. */
function Player(props: {
  audio: RefObject<HTMLAudioElement | null>;
  call: Call;
  refetch: () => Promise<Call | undefined>;
  onTime: (seconds: number) => void;
}): ReactNode {
  const [address, setAddress] = useState(() => recordingPath(props.call.recording_url));
  const [failures, setFailures] = useState(0);
  const resumeAt = useRef(0);
  async function load(): Promise<void> {
    resumeAt.current = props.audio.current?.currentTime ?? 0;
    const call = await props.refetch();
    setAddress(recordingPath(call?.recording_url ?? null));
  }
  function fail(): void {
    setFailures((count) => count + 1);
    if (failures === 0) void load();
  }
  return (
    <>
      <audio
        ref={props.audio}
        controls
        preload="metadata"
        aria-label="Recording"
        src={address}
        onError={fail}
        onLoadedMetadata={(event) => {
          setFailures(0);
          if (resumeAt.current > 0) event.currentTarget.currentTime = resumeAt.current;
        }}
        onTimeUpdate={(event) => props.onTime(event.currentTarget.currentTime)}
      />
      {failures > 1 && (
        <div className="alert" role="alert">
          <p>The recording could not be loaded.</p>
          <button type="button" className="quiet" onClick={() => void load()}>
            Try again
          </button>
        </div>
      )}
    </>
  );
}

function Transcript(props: {
  call: Call;
  personName: string | undefined;
  /** Where the player is. */
  seconds: number;
  onJump: ((seconds: number) => void) | undefined;
}): ReactNode {
  const transcript = useTranscript(props.call);
  const remote = remoteNumber(props.call);
  const isPlaying = ({ start_ms: start, end_ms: end }: CallTranscriptSegment) =>
    props.seconds * 1000 >= start && props.seconds * 1000 < end;
  return (
    <QueryState query={transcript} what="transcript">
      {(segments) =>
        segments.length === 0 ? (
          <p className="soft">Nothing was said.</p>
        ) : (
          <ol className="transcript">
            {segments.map((segment, index) => (
              <li key={index} aria-current={isPlaying(segment) || undefined}>
                <SegmentTime seconds={segment.start_ms / 1000} onJump={props.onJump} />
                <span className="speaker">
                  {segment.speaker === remote ? (props.personName ?? segment.speaker) : segment.speaker}
                </span>
                <span className="said">{segment.text}</span>
              </li>
            ))}
          </ol>
        )
      }
    </QueryState>
  );
}

function SegmentTime(props: { seconds: number; onJump: ((seconds: number) => void) | undefined }): ReactNode {
  const { seconds, onJump } = props;
  if (!onJump) return <span className="soft">{duration(seconds)}</span>;
  return (
    <button
      type="button"
      className="plain segment-time"
      aria-label={`Play from ${duration(seconds)}`}
      onClick={() => onJump(seconds)}
    >
      {duration(seconds)}
    </button>
  );
}

function missingTranscript(call: Call): string {
  if (isInProgress(call)) return 'Written after the call.';
  return isChanging(call, Date.now()) ? 'The call is being transcribed…' : 'There is no transcript.';
}
