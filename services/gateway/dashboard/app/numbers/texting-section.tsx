import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { ApiError } from '../api/api-error.ts';
import { api, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import type { BusinessNumber, TextingSettings } from '../api/schema.d.ts';
import { DraftSection } from '../ui/draft-section.tsx';
import { TextArea, TextField } from '../ui/field.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { useDraft } from '../ui/use-draft.ts';
import { at, textingSettingsQuery } from './business-number-queries.ts';
import { textingBody, textingForm, textingText } from './texting-form.ts';

export function TextingSection({ number }: { number: BusinessNumber }): ReactNode {
  const settings = useQuery(textingSettingsQuery(number.id));
  const id = useId();
  if (settings.data) return <TextingForm number={number} settings={settings.data} />;
  const isOff = settings.error instanceof ApiError && settings.error.isNotFound;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>Texting</h2>
      {isOff ? (
        <p>Texting is off for your company.</p>
      ) : (
        <QueryState query={settings} what="texting settings">
          {() => null}
        </QueryState>
      )}
    </section>
  );
}

function TextingForm({ number, settings }: { number: BusinessNumber; settings: TextingSettings }): ReactNode {
  const draft = useDraft(`number ${number.id} texting`, textingForm(settings));
  const { value, set } = draft;
  return (
    <DraftSection
      title="Texting"
      draft={draft}
      save={(form) =>
        ok(api.PATCH('/api/v1/business_numbers/{id}/texting_settings', { ...at(number.id), body: textingBody(form) }))
      }
      onSaved={(saved) => queryClient.setQueryData(textingSettingsQuery(number.id).queryKey, saved)}
    >
      {(errorsOf) => (
        <>
          <p>{textingText(number.messaging.sms)}</p>
          <p>
            <label className="check">
              <input
                type="checkbox"
                checked={value.enabled}
                onChange={(event) => set({ ...value, enabled: event.target.checked })}
              />
              Reply automatically to texts outside business hours
            </label>
          </p>
          <TextArea
            label="Reply"
            hint="Each reply is a text that is charged."
            value={value.text}
            errors={errorsOf('auto_reply_text')}
            onChange={(event) => set({ ...value, text: event.target.value })}
          />
          <TextField
            type="number"
            label="Minutes between replies to the same person"
            min={60}
            max={43_200}
            value={value.cooldown}
            errors={errorsOf('auto_reply_cooldown_minutes')}
            onChange={(event) => set({ ...value, cooldown: event.target.value })}
          />
        </>
      )}
    </DraftSection>
  );
}
