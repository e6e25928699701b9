import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Assistant, AssistantOptions } from '../api/schema.d.ts';
import { t } from '../i18n/translate.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { DraftSection } from '../ui/draft-section.tsx';
import { SelectField, TextArea } from '../ui/field.tsx';
import { Fields } from '../ui/form.tsx';
import { assistantOptionsQuery, cacheAssistant } from './assistant-queries.ts';
import { actionTexts } from './assistant-texts.ts';
import { useSectionDraft } from './section-draft.ts';

/** What it does for callers beside answering questions, and what decides its sentences. */
export function ActionsSection({ assistant }: { assistant: Assistant }): ReactNode {
  const { actions, engine, instructions } = assistant;
  const { draft, save } = useSectionDraft(
    assistant,
    'actions',
    { actions, engine, instructions },
    (changed) => changed,
  );
  const { value, set } = draft;
  const { data: options } = useQuery(assistantOptionsQuery);
  return (
    <DraftSection title={t('What it may do')} draft={draft} save={save} onSaved={cacheAssistant} isMain={false}>
      {(errorsOf) => (
        <Fields>
          <div>
            {actionTexts().map(([action, label]) => (
              <Checkbox
                key={action}
                label={label}
                checked={value.actions[action]}
                onChange={(isOn) => set({ ...value, actions: { ...value.actions, [action]: isOn } })}
              />
            ))}
          </div>
          <SelectField
            label={t('Answers with')}
            hint={options && engineHint(value.engine, options.endpoint)}
            value={value.engine}
            errors={errorsOf('engine')}
            onChange={({ target }) => set({ ...value, engine: target.value as Assistant['engine'] })}
          >
            <option value="auto">{t('A language model, if there is one')}</option>
            <option value="embedded">{t('Only sentences that you have written')}</option>
          </SelectField>
          {value.engine === 'auto' && (
            <TextArea
              label={t('Instructions')}
              hint={t('For a language model only. Callers never hear them.')}
              maxLength={4000}
              rows={4}
              value={value.instructions}
              errors={errorsOf('instructions')}
              onChange={({ target }) => set({ ...value, instructions: target.value })}
            />
          )}
        </Fields>
      )}
    </DraftSection>
  );
}

function engineHint(engine: Assistant['engine'], { source, model }: AssistantOptions['endpoint']): string {
  if (engine === 'embedded') return t('It says only what is written in Knowledge, and fixed sentences.');
  if (source === 'company') return t('Now: {model}, which your company has set up.', { model: model ?? '' });
  if (source === 'operator') return t('Now: {model}, which your provider has set up.', { model: model ?? '' });
  return t('Now there is none: it says what is written in Knowledge. Admins can set one up in Settings, Model.');
}
