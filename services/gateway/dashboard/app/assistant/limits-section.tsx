import type { ReactNode } from 'react';
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
      {(errorsOf) => (
        <Fields>
          <Fields areShort>
            <TextField
              label={t('Longest conversation in seconds')}
              hint={t('60 to 1,800. Then the caller goes where it leads if it cannot help.')}
              type="number"
              inputMode="numeric"
              min={60}
              max={1800}
              value={value.max_duration_secs}
              errors={errorsOf('max_duration_secs')}
              onChange={({ target }) => set({ ...value, max_duration_secs: Number(target.value) })}
            />
            <TextField
              label={t('Seconds of silence')}
              hint={t('4 to 20. Then it asks again.')}
              type="number"
              inputMode="numeric"
              min={4}
              max={20}
              value={value.silence_secs}
              errors={errorsOf('silence_secs')}
              onChange={({ target }) => set({ ...value, silence_secs: Number(target.value) })}
            />
          </Fields>
          <Checkbox
            label={t('Keep what was said after the call')}
            checked={value.keep_transcript}
            onChange={(isOn) => set({ ...value, keep_transcript: isOn })}
          />
        </Fields>
      )}
    </DraftSection>
  );
}
