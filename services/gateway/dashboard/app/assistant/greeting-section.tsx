import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Assistant } from '../api/schema.d.ts';
import { businessNumbersQuery } from '../api/shared-queries.ts';
import { capitalised, languageName } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { VoicePreview } from '../numbers/voice-preview.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { DraftSection } from '../ui/draft-section.tsx';
import { SelectField, TextArea, TextField } from '../ui/field.tsx';
import { Fields } from '../ui/form.tsx';
import { assistantOptionsQuery, cacheAssistant } from './assistant-queries.ts';
import { useSectionDraft } from './section-draft.ts';

/** What callers hear first, and in which voice. */
export function GreetingSection({ assistant }: { assistant: Assistant }): ReactNode {
  const { name, language, disclosure, greeting, voice, recognise_callers: recognises } = assistant;
  const saved = { name, language, disclosure, greeting, voice, recognise_callers: recognises };
  const { draft, save } = useSectionDraft(assistant, 'greeting', saved, (changed) => changed);
  const { value, set } = draft;
  const { data: options } = useQuery(assistantOptionsQuery);
  const languages = [...new Set([...(options?.languages ?? []), value.language])];
  const voices = [...new Set([...(options?.voices ?? []), ...(value.voice === null ? [] : [value.voice])])];
  return (
    <DraftSection title={t('Greeting')} draft={draft} save={save} onSaved={cacheAssistant} isMain={false}>
      {(errorsOf) => (
        <Fields>
          <TextField
            label={t('Name')}
            maxLength={40}
            value={value.name}
            errors={errorsOf('name')}
            onChange={({ target }) => set({ ...value, name: target.value })}
          />
          <TextArea
            label={t('Disclosure')}
            hint={t('Always its first words. Callers cannot interrupt them.')}
            rows={2}
            maxLength={200}
            value={value.disclosure}
            errors={errorsOf('disclosure')}
            onChange={({ target }) => set({ ...value, disclosure: target.value })}
          />
          <TextArea
            label={t('Greeting')}
            maxLength={500}
            value={value.greeting}
            errors={errorsOf('greeting')}
            onChange={({ target }) => set({ ...value, greeting: target.value })}
          />
          <Fields areShort>
            <SelectField
              label={t('Language')}
              value={value.language}
              errors={errorsOf('language')}
              onChange={({ target }) => set({ ...value, language: target.value })}
            >
              {languages.map((code) => (
                <option key={code} value={code}>
                  {capitalised(languageName(code))}
                </option>
              ))}
            </SelectField>
            <SelectField
              label={t('Voice')}
              value={value.voice ?? ''}
              errors={errorsOf('voice')}
              onChange={({ target }) => set({ ...value, voice: target.value || null })}
            >
              <option value="">{t('The usual one of the language')}</option>
              {voices.map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </SelectField>
          </Fields>
          <Listen {...value} />
          <Checkbox
            label={t('Greet callers by name when they are contacts')}
            checked={value.recognise_callers}
            onChange={(isOn) => set({ ...value, recognise_callers: isOn })}
          />
        </Fields>
      )}
    </DraftSection>
  );
}

/** Disclosure and greeting as callers hear them, also before they are saved. */
function Listen(props: Pick<Assistant, 'disclosure' | 'greeting' | 'language' | 'voice'>): ReactNode {
  const { data: numbers } = useQuery(businessNumbersQuery);
  const [number] = numbers ?? [];
  if (!number) return null;
  return (
    <VoicePreview
      numberId={number.id}
      label={t('Greeting')}
      kind="greeting"
      value={`${props.disclosure} ${props.greeting}`}
      spokenAs={{ language: props.language, ...(props.voice !== null && { voice: props.voice }) }}
    />
  );
}
