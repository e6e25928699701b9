import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { ApiError } from '../api/api-error.ts';
import { api, at, ok } from '../api/client.ts';
import { queryClient } from '../api/query-client.ts';
import type { BusinessNumber, TextingSettings } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { TextArea, TextField } from '../ui/field.tsx';
import { QueryState } from '../ui/query-state.tsx';
import { type Draft, useDraft } from '../ui/use-draft.ts';
import { textingSettingsQuery } from './business-number-queries.ts';
import styles from './part-form.module.css';
import { PartForm } from './part-form.tsx';
import { textingBody, type TextingForm, textingForm, textingText } from './texting-form.ts';
import { type Part, usePart } from './use-part.ts';

interface Texting {
  readonly draft: Draft<TextingForm>;
  readonly part: Part;
  readonly settings: UseQueryResult<TextingSettings>;
}

const UNKNOWN: TextingForm = { enabled: false, text: '', cooldown: '' };

export function useTextingPart({ id }: BusinessNumber): Texting {
  const settings = useQuery(textingSettingsQuery(id));
  const draft = useDraft(`number ${id} texting`, settings.data ? textingForm(settings.data) : UNKNOWN);
  const part = usePart({
    title: t('Texting'),
    draft,
    save: (form) =>
      ok(api.PATCH('/api/v1/business_numbers/{id}/texting_settings', { ...at(id), body: textingBody(form) })),
    onSaved: (saved) => queryClient.setQueryData(textingSettingsQuery(id).queryKey, saved),
  });
  // Edits from before a reload are none until one knows what they differ from.
  return { draft, part: { ...part, isChanged: part.isChanged && settings.data !== undefined }, settings };
}

export function TextingSection({ number, texting }: { number: BusinessNumber; texting: Texting }): ReactNode {
  const { settings, draft, part } = texting;
  const { value, set } = draft;
  const id = useId();
  if (!settings.data) {
    const isOff = settings.error instanceof ApiError && settings.error.isNotFound;
    return (
      <section className={styles['part']} aria-labelledby={id}>
        <h2 id={id}>{t('Texting')}</h2>
        {isOff ? (
          <p className={styles['description']}>{t('Texting is off for your company.')}</p>
        ) : (
          <QueryState query={settings}>{() => null}</QueryState>
        )}
      </section>
    );
  }
  return (
    <PartForm part={part} description={textingText(number.messaging.sms)}>
      <Checkbox
        label={t('Reply automatically to texts outside business hours')}
        checked={value.enabled}
        onChange={(enabled) => set({ ...value, enabled })}
      />
      <TextArea
        label={t('Reply')}
        hint={t('Each reply is a text that is charged.')}
        value={value.text}
        errors={part.errorsOf('auto_reply_text')}
        onChange={(event) => set({ ...value, text: event.target.value })}
      />
      <TextField
        type="number"
        label={t('Minutes between replies to the same person')}
        min={60}
        max={43_200}
        value={value.cooldown}
        errors={part.errorsOf('auto_reply_cooldown_minutes')}
        onChange={(event) => set({ ...value, cooldown: event.target.value })}
      />
    </PartForm>
  );
}
