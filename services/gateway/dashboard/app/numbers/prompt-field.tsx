import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, ok } from '../api/client.ts';
import { ownPath } from '../api/own-path.ts';
import { TextArea } from '../ui/field.tsx';
import { Failure } from '../ui/query-state.tsx';
import { at } from './business-number-queries.ts';

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
    <div className="prompt-field">
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
      <div className="actions">
        <button
          type="button"
          className="quiet"
          aria-disabled={preview.isPending}
          onClick={() => {
            if (!preview.isPending) preview.mutate(value);
          }}
        >
          Listen
        </button>
        <span role="status" className="soft">
          {preview.isPending ? 'Preparing the audio…' : ''}
        </span>
        {heard?.text === value && (
          <audio key={heard.audio} src={heard.audio} controls autoPlay aria-label={`Preview: ${label}`} />
        )}
      </div>
    </div>
  );
}
