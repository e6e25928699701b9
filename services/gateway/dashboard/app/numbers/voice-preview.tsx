import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { ApiError } from '../api/api-error.ts';
import { api, at, ok } from '../api/client.ts';
import { ownPath } from '../api/own-path.ts';
import type { paths } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { AudioPlayer } from '../ui/audio-player.tsx';
import { Button } from '../ui/button.tsx';
import { Volume2 } from '../ui/icons/index.ts';
import { Failure } from '../ui/query-state.tsx';
import text from '../ui/text.module.css';
import styles from './voice-preview.module.css';

type PreviewBody =
  paths['/api/v1/business_numbers/{id}/voice_previews']['post']['requestBody']['content']['application/json'];

/** A voice is loaded for its first text, which can take longer than a request may: what comes too late is kept for the next one. */
const RETRIES_MAX = 2;
const RETRY_MS = 2000;

const isTooSlow = (error: Error | null) => error instanceof ApiError && error.code === 'speech_failed';

export type VoicePreviewKind = 'welcome' | 'greeting' | 'message' | 'prompt';

/** A button to hear a text as callers of a number do. What is said of an earlier text goes when the text changes. */
export function VoicePreview(props: {
  numberId: string;
  label: string;
  kind: VoicePreviewKind;
  value: string;
  /** Otherwise as the number speaks. */
  spokenAs?: { readonly language: string; readonly voice?: string };
}): ReactNode {
  const { numberId, label, kind, value, spokenAs } = props;
  const preview = useMutation({
    mutationFn: (body: PreviewBody) =>
      ok(api.POST('/api/v1/business_numbers/{id}/voice_previews', { ...at(numberId), body })),
    retry: (failures, error) => failures < RETRIES_MAX && isTooSlow(error),
    retryDelay: RETRY_MS,
  });
  const body = { kind, text: value, ...spokenAs };
  const isOfValue = JSON.stringify(preview.variables) === JSON.stringify(body);
  const heard = isOfValue && preview.data ? ownPath(preview.data.audio_url) : undefined;
  return (
    <div className={styles['preview']}>
      {isOfValue && preview.error && <Failure error={problemOf(preview.error)} onRetry={() => preview.mutate(body)} />}
      <div className={styles['listen']}>
        <Button size="s" icon={Volume2} busy={preview.isPending} onPress={() => preview.mutate(body)}>
          {t('Listen')}
        </Button>
        {preview.isPending && (
          <span role="status" className={text['meta']}>
            {preview.failureCount === 0
              ? t('Preparing the audio…')
              : t('The voice is still loading. The first time takes longer…')}
          </span>
        )}
      </div>
      {heard !== undefined && <Heard key={heard} label={t('Preview: {what}', { what: label })} src={heard} />}
    </div>
  );
}

function problemOf(error: Error): Error {
  return isTooSlow(error)
    ? new Error(t('The audio could not be made yet: the voice may still be loading. Try again in a moment.'))
    : error;
}

/** Plays at once: that is what one has asked for. */
function Heard({ label, src }: { label: string; src: string }): ReactNode {
  const audio = useRef<HTMLAudioElement>(null);
  useEffect(() => {
    // A browser may want a click on the player itself.
    audio.current?.play().catch(() => undefined);
  }, []);
  return <AudioPlayer label={label} src={src} length={null} audio={audio} />;
}
