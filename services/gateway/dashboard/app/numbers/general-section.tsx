import { type ReactNode, useMemo } from 'react';
import { api, at, ok } from '../api/client.ts';
import type { BusinessNumber } from '../api/schema.d.ts';
import { languageName } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { Choice } from '../ui/choice.tsx';
import { SelectField, TextArea, TextField } from '../ui/field.tsx';
import { Failure } from '../ui/query-state.tsx';
import { useDraft } from '../ui/use-draft.ts';
import { cacheBusinessNumber } from './business-number-queries.ts';
import { PartForm } from './part-form.tsx';
import { type Part, usePart } from './use-part.ts';

type General = Pick<
  BusinessNumber,
  | 'name'
  | 'timezone'
  | 'language'
  | 'recording_enabled'
  | 'recording_announcement'
  | 'wait_audio'
  | 'ring_strategy'
  | 'announce_position'
  | 'callback_offer'
>;

/** Languages in which prompts are often spoken; the one that is set is always among the choices. */
const LANGUAGES = ['en', 'da', 'de', 'sv', 'nb', 'fi', 'nl', 'fr', 'es', 'it', 'pl', 'pt'];

export function useGeneralPart(number: BusinessNumber): { part: Part; form: ReactNode } {
  const { timezone, language } = number;
  const draft = useDraft<General>(`number ${number.id} general`, {
    name: number.name,
    timezone,
    language,
    recording_enabled: number.recording_enabled,
    recording_announcement: number.recording_announcement,
    wait_audio: number.wait_audio,
    ring_strategy: number.ring_strategy,
    announce_position: number.announce_position,
    callback_offer: number.callback_offer,
  });
  const part = usePart({
    title: t('General'),
    draft,
    save: (body) => ok(api.PATCH('/api/v1/business_numbers/{id}', { ...at(number.id), body })),
    onSaved: cacheBusinessNumber,
  });
  const { value, set } = draft;
  const { errorsOf } = part;
  const zones = useMemo(() => optionsWith(Intl.supportedValuesOf('timeZone'), timezone, zoneName), [timezone]);
  const languages = useMemo(() => optionsWith(LANGUAGES, language, languageName), [language]);
  const problems = [...(errorsOf('timezone') ?? []), ...(errorsOf('language') ?? [])];
  const form = (
    <PartForm part={part}>
      <TextField
        label={t('Name')}
        maxLength={128}
        value={value.name}
        errors={errorsOf('name')}
        onChange={(event) => set({ ...value, name: event.target.value })}
      />
      {problems.length > 0 && <Failure error={new Error(problems.join(' '))} />}
      <Choice
        label={t('Time zone')}
        options={zones}
        value={value.timezone}
        onChange={(chosen) => set({ ...value, timezone: chosen })}
      />
      <Choice
        label={t('Language of what callers hear')}
        options={languages}
        value={value.language}
        onChange={(chosen) => set({ ...value, language: chosen })}
      />
      <SelectField
        label={t('While callers wait they hear')}
        value={value.wait_audio}
        errors={errorsOf('wait_audio')}
        onChange={(event) => set({ ...value, wait_audio: event.target.value as General['wait_audio'] })}
      >
        <option value="ringtone">{t('A ringtone')}</option>
        <option value="music">{t('Music')}</option>
      </SelectField>
      <SelectField
        label={t('Phones ring')}
        value={value.ring_strategy}
        errors={errorsOf('ring_strategy')}
        onChange={(event) => set({ ...value, ring_strategy: event.target.value as General['ring_strategy'] })}
      >
        <option value="all">{t('All at once')}</option>
        <option value="longest_idle">{t('Who has been idle longest first')}</option>
        <option value="in_order">{t('One after the other, in their order')}</option>
      </SelectField>
      <Checkbox
        label={t('Tell waiting callers their place in the queue')}
        checked={value.announce_position}
        onChange={(isAnnounced) => set({ ...value, announce_position: isAnnounced })}
      />
      <Checkbox
        label={t('Offer waiting callers to be called back when they press 1')}
        checked={value.callback_offer}
        onChange={(isOffered) => set({ ...value, callback_offer: isOffered })}
      />
      <Checkbox
        label={t('Record calls')}
        checked={value.recording_enabled}
        onChange={(isRecorded) => set({ ...value, recording_enabled: isRecorded })}
      />
      {value.recording_enabled && (
        <TextArea
          label={t('Announcement before a recorded conversation')}
          hint={t('Empty: nothing is said.')}
          rows={2}
          value={value.recording_announcement ?? ''}
          errors={errorsOf('recording_announcement')}
          onChange={(event) => set({ ...value, recording_announcement: event.target.value || null })}
        />
      )}
    </PartForm>
  );
  return { part, form };
}

function optionsWith(
  values: readonly string[],
  current: string,
  label: (value: string) => string,
): readonly { value: string; label: string }[] {
  return [...new Set([...values, current])].map((value) => ({ value, label: label(value) }));
}

const zoneName = (zone: string) => zone.replaceAll('_', ' ');
