import { type ReactNode, useId } from 'react';
import { api, ok } from '../api/client.ts';
import type { BusinessNumber } from '../api/schema.d.ts';
import { DraftSection } from '../ui/draft-section.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { useDraft } from '../ui/use-draft.ts';
import { at, keepBusinessNumber } from './business-number-queries.ts';

type General = Pick<BusinessNumber, 'name' | 'timezone' | 'language' | 'recording_enabled' | 'wait_audio'>;

export function GeneralSection({ number }: { number: BusinessNumber }): ReactNode {
  const { name, timezone, language, recording_enabled, wait_audio } = number;
  const draft = useDraft<General>(`number ${number.id} general`, {
    name,
    timezone,
    language,
    recording_enabled,
    wait_audio,
  });
  const zones = useId();
  const { value, set } = draft;
  return (
    <DraftSection
      title="General"
      draft={draft}
      save={(body) => ok(api.PATCH('/api/v1/business_numbers/{id}', { ...at(number.id), body }))}
      onSaved={keepBusinessNumber}
    >
      {(errorsOf) => (
        <>
          <TextField
            label="Name"
            maxLength={128}
            value={value.name}
            errors={errorsOf('name')}
            onChange={(event) => set({ ...value, name: event.target.value })}
          />
          <TextField
            label="Time zone"
            list={zones}
            value={value.timezone}
            errors={errorsOf('timezone')}
            onChange={(event) => set({ ...value, timezone: event.target.value })}
          />
          <datalist id={zones}>
            {Intl.supportedValuesOf('timeZone').map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
          <TextField
            label="Language"
            hint="Of what callers hear, such as en or da."
            value={value.language}
            errors={errorsOf('language')}
            onChange={(event) => set({ ...value, language: event.target.value })}
          />
          <SelectField
            label="While callers wait they hear"
            value={value.wait_audio}
            errors={errorsOf('wait_audio')}
            onChange={(event) => set({ ...value, wait_audio: event.target.value as General['wait_audio'] })}
          >
            <option value="ringtone">A ringtone</option>
            <option value="music">Music</option>
          </SelectField>
          <p>
            <label className="check">
              <input
                type="checkbox"
                checked={value.recording_enabled}
                onChange={(event) => set({ ...value, recording_enabled: event.target.checked })}
              />
              Record calls
            </label>
          </p>
        </>
      )}
    </DraftSection>
  );
}
