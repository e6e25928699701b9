import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { api, at, ok } from '../api/client.ts';
import { ownPath } from '../api/own-path.ts';
import { t } from '../i18n/translate.ts';
import { AudioPlayer } from '../ui/audio-player.tsx';
import { Button } from '../ui/button.tsx';
import { TextArea } from '../ui/field.tsx';
import { Volume2 } from '../ui/icons/index.ts';
import { Failure } from '../ui/query-state.tsx';
import text from '../ui/text.module.css';
import styles from './call-flow-editor.module.css';

/** A text that callers hear, with a button to hear it. */
export function PromptField(props: {
  numberId: string;
  label: string;
  kind: 'welcome' | 'greeting' | 'message' | 'prompt';
  value: string;
  onChange: (text: string) => void;
  errors: readonly string[] | undefined;
}): ReactNode {
  const { numberId, label, kind, value } = props;
  const [heard, setHeard] = useState<{ text: string; audio: string }>();
  const preview = useMutation({
    mutationFn: (text: string) =>
      ok(api.POST('/api/v1/business_numbers/{id}/voice_previews', { ...at(numberId), body: { kind, text } })),
    onSuccess: ({ audio_url: audioUrl }, text) => setHeard({ text, audio: ownPath(audioUrl) }),
  });
  return (
    <div className={styles['prompt']}>
      <TextArea
        label={label}
        value={value}
        errors={props.errors}
        onChange={(event) => {
          preview.reset();
          props.onChange(event.target.value);
        }}
      />
      {preview.error && <Failure error={preview.error} />}
      <div className={styles['listen']}>
        <Button size="s" icon={Volume2} busy={preview.isPending} onPress={() => preview.mutate(value)}>
          {t('Listen')}
        </Button>
        {preview.isPending && (
          <span role="status" className={text['meta']}>
            {t('Preparing the audio…')}
          </span>
        )}
      </div>
      {heard?.text === value && (
        <Heard key={heard.audio} label={t('Preview: {what}', { what: label })} src={heard.audio} />
      )}
    </div>
  );
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
