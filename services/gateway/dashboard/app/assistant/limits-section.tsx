import type { ChangeEvent, ReactNode } from 'react';
import type { Assistant } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { DraftSection } from '../ui/draft-section.tsx';
import { TextField } from '../ui/field.tsx';
import { Fields } from '../ui/form.tsx';
import { cacheAssistant } from './assistant-queries.ts';
import { useSectionDraft } from './section-draft.ts';

/** How long it talks, and what is kept of it. */
export function LimitsSection({ assistant }: { assistant: Assistant }): ReactNode {
  const { max_duration_secs: longest, silence_secs: silence, keep_transcript: isKept } = assistant;
  const saved = { max_duration_secs: longest, silence_secs: silence, keep_transcript: isKept };
  const { draft, save } = useSectionDraft(assistant, 'limits', saved, (changed) => changed);
  const { value, set } = draft;
  return (
    <DraftSection title={t('Limits')} draft={draft} save={save} onSaved={cacheAssistant} isMain={false}>
      {(errorsOf) => {
        const numberField = (name: 'max_duration_secs' | 'silence_secs') => ({
          type: 'number',
          inputMode: 'numeric' as const,
          value: value[name],
          errors: errorsOf(name),
          onChange: ({ target }: ChangeEvent<HTMLInputElement>) => set({ ...value, [name]: Number(target.value) }),
        });
        return (
          <Fields>
            <Fields areShort>
              <TextField
                {...numberField('max_duration_secs')}
                label={t('Longest conversation in seconds')}
                hint={t('60 to 1,800. Then the caller goes where it leads if it cannot help.')}
                min={60}
                max={1800}
              />
              <TextField
                {...numberField('silence_secs')}
                label={t('Seconds of silence')}
                hint={t('4 to 20. Then it asks again.')}
                min={4}
                max={20}
              />
            </Fields>
            <Checkbox
              label={t('Keep what was said after the call')}
              checked={value.keep_transcript}
              onChange={(isOn) => set({ ...value, keep_transcript: isOn })}
            />
          </Fields>
        );
      }}
    </DraftSection>
  );
}
