import { type KeyboardEvent, type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { t } from '../i18n/translate.ts';
import { classes } from './classes.ts';
import { duration } from './duration.ts';
import styles from './audio-player.module.css';
import { Pause, Play } from './icons/index.ts';
import { FLAT, readWaveform } from './waveform.ts';

const SPEEDS = [1, 1.25, 1.5, 2];
const STEP_SECS = 5;
/** The waveform of a longer recording costs too many bytes to be read for who only looks. */
const EAGER_SECS_MAX = 300;

/**
 * Plays a recording: a waveform that one can jump in, and the speed. The waveform is read when one is about to listen, in a large player
 * at once; a recording with a channel for each speaker has a lane for each.
 */
export function AudioPlayer(props: {
  label: string;
  src: string;
  /** In seconds, before the audio is loaded; null: its beginning is loaded at once to know it. */
  length: number | null;
  size?: 'm' | 'l';
  onPlay?: () => void;
  onError?: () => void;
  onTime?: (seconds: number) => void;
  /** To jump from outside, as from a transcript. */
  audio?: RefObject<HTMLAudioElement | null>;
}): ReactNode {
  const own = useRef<HTMLAudioElement>(null);
  const audio = props.audio ?? own;
  const [isPlaying, setIsPlaying] = useState(false);
  const [at, setAt] = useState(0);
  const [loaded, setLoaded] = useState<number>();
  const [speed, setSpeed] = useState(1);
  const [lanes, setLanes] = useState<readonly (readonly number[])[]>([FLAT]);
  const isRead = useRef(false);

  const { src } = props;
  const length = loaded ?? props.length ?? 0;
  const prepare = useCallback(() => {
    if (isRead.current) return;
    isRead.current = true;
    readWaveform(src).then(
      (read) => read && setLanes(read),
      () => undefined,
    );
  }, [src]);
  const isShown = props.size === 'l' && length > 0 && length <= EAGER_SECS_MAX;
  useEffect(() => {
    if (isShown && src !== '') prepare();
  }, [isShown, src, prepare]);
  function toggle(): void {
    prepare();
    if (audio.current?.paused) void audio.current.play().catch(() => undefined);
    else audio.current?.pause();
  }
  function jump(seconds: number): void {
    if (!audio.current) return;
    audio.current.currentTime = Math.min(Math.max(0, seconds), length);
    setAt(audio.current.currentTime);
  }
  function changeSpeed(): void {
    const next = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length]!;
    setSpeed(next);
    if (audio.current) audio.current.playbackRate = next;
  }
  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowRight: STEP_SECS, ArrowUp: STEP_SECS, ArrowLeft: -STEP_SECS, ArrowDown: -STEP_SECS }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    jump(at + step);
  }
  const played = length === 0 ? 0 : at / length;
  return (
    <div className={classes(styles['player'], styles[props.size ?? 'm'])} onPointerEnter={prepare} onFocus={prepare}>
      <button type="button" className={styles['play']} aria-label={isPlaying ? t('Pause') : t('Play')} onClick={toggle}>
        {isPlaying ? (
          <Pause size={14} fill="currentColor" strokeWidth={0} aria-hidden="true" />
        ) : (
          <Play size={14} fill="currentColor" strokeWidth={0} aria-hidden="true" />
        )}
      </button>
      <div
        className={styles['wave']}
        role="slider"
        tabIndex={0}
        aria-label={t('Position')}
        aria-valuemin={0}
        aria-valuemax={Math.round(length)}
        aria-valuenow={Math.round(at)}
        aria-valuetext={t('{at} of {length}', { at: duration(at), length: duration(length) })}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          const { left, width } = event.currentTarget.getBoundingClientRect();
          jump(((event.clientX - left) / width) * length);
        }}
      >
        {lanes.map((peaks, lane) => (
          <Lane key={lane} peaks={peaks} played={played} speaker={lanes.length > 1 ? lane : 0} />
        ))}
      </div>
      <span className={styles['time']}>{duration(at > 0 ? at : length)}</span>
      <button
        type="button"
        className={styles['speed']}
        aria-label={t('Speed {speed}×', { speed })}
        onClick={changeSpeed}
      >
        {speed}×
      </button>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- what is said is written beside it */}
      <audio
        ref={audio}
        preload={props.length === null ? 'metadata' : 'none'}
        aria-label={props.label}
        src={src}
        onPlay={() => {
          setIsPlaying(true);
          props.onPlay?.();
        }}
        onPause={() => setIsPlaying(false)}
        onEnded={() => setIsPlaying(false)}
        onTimeUpdate={({ currentTarget }) => {
          setAt(currentTarget.currentTime);
          props.onTime?.(currentTarget.currentTime);
        }}
        onLoadedMetadata={({ currentTarget }) => {
          if (Number.isFinite(currentTarget.duration)) setLoaded(currentTarget.duration);
          currentTarget.playbackRate = speed;
        }}
        onError={props.onError}
      />
    </div>
  );
}

const LANE = { height: 28, gap: 4, bar: 2.5, min: 2 };

function Lane(props: { peaks: readonly number[]; played: number; speaker: number }): ReactNode {
  const { peaks, played } = props;
  return (
    <svg
      className={classes(styles['lane'], styles[`speaker${props.speaker}`])}
      viewBox={`0 0 ${peaks.length * LANE.gap} ${LANE.height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {peaks.map((peak, bar) => {
        const height = LANE.min + peak * (LANE.height - LANE.min);
        return (
          <rect
            key={bar}
            className={(bar + 0.5) / peaks.length <= played ? styles['played'] : undefined}
            x={bar * LANE.gap}
            y={(LANE.height - height) / 2}
            width={LANE.bar}
            height={height}
            rx={1.25}
          />
        );
      })}
    </svg>
  );
}
