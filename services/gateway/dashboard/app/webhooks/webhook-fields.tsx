import type { ReactNode } from 'react';
import { t } from '../i18n/translate.ts';
import { CheckboxGroup } from '../ui/checkbox-group.tsx';
import { TextField } from '../ui/field.tsx';
import { eventOptions } from './event-types.ts';

export interface WebhookForm {
  readonly name: string;
  readonly url: string;
  readonly events: readonly string[];
}

export function WebhookFields(props: {
  value: WebhookForm;
  onChange: (value: WebhookForm) => void;
  errorsOf: (field: string) => readonly string[] | undefined;
}): ReactNode {
  const { value, onChange, errorsOf } = props;
  return (
    <>
      <TextField
        label={t('Name')}
        maxLength={128}
        value={value.name}
        errors={errorsOf('name')}
        onChange={(event) => onChange({ ...value, name: event.target.value })}
      />
      <TextField
        label={t('URL')}
        inputMode="url"
        placeholder="https://"
        maxLength={2000}
        value={value.url}
        errors={errorsOf('url')}
        onChange={(event) => onChange({ ...value, url: event.target.value })}
      />
      <CheckboxGroup
        label={t('Events')}
        options={eventOptions(value.events)}
        selected={value.events}
        onChange={(events) => onChange({ ...value, events })}
        errors={errorsOf('events')}
      />
    </>
  );
}
