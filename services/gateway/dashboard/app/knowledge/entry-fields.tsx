import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { businessNumbersQuery } from '../api/shared-queries.ts';
import { t, tOf } from '../i18n/translate.ts';
import { CheckboxGroup } from '../ui/checkbox-group.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { DayField, TextArea, TextField } from '../ui/field.tsx';
import { Fields } from '../ui/form.tsx';
import type { EntryForm } from './entry-form.ts';

export function EntryFields(props: {
  isNew?: boolean;
  value: EntryForm;
  onChange: (value: EntryForm) => void;
  errorsOf: (field: string) => readonly string[] | undefined;
}): ReactNode {
  const { value, onChange, errorsOf } = props;
  const { data: numbers = [] } = useQuery(businessNumbersQuery);
  return (
    <Fields>
      <TextField
        label={t('Title')}
        hint={t('What it is about, for example “Parking”.')}
        maxLength={120}
        autoFocus={props.isNew}
        value={value.title}
        errors={errorsOf('title')}
        onChange={({ target }) => onChange({ ...value, title: target.value })}
      />
      <TextArea
        label={tOf('knowledge', 'Answer')}
        hint={t('It is said to callers word for word.')}
        maxLength={600}
        value={value.answer}
        errors={errorsOf('answer')}
        onChange={({ target }) => onChange({ ...value, answer: target.value })}
      />
      <TextArea
        label={t('Other ways to ask')}
        hint={t('As callers say it, one in a line, up to 20.')}
        value={value.questions}
        errors={errorsOf('questions')}
        onChange={({ target }) => onChange({ ...value, questions: target.value })}
      />
      <TextArea
        label={t('Text to send')}
        hint={t('What the assistant can send as a text, for example an address or a link that begins with https.')}
        rows={2}
        maxLength={320}
        value={value.text}
        errors={errorsOf('text')}
        onChange={({ target }) => onChange({ ...value, text: target.value })}
      />
      {numbers.length > 1 && (
        <CheckboxGroup
          label={t('Only for these numbers (none: for all)')}
          options={numbers.map(({ id, name, number_formatted: detail }) => ({ value: id, label: name, detail }))}
          selected={value.numberIds}
          onChange={(numberIds) => onChange({ ...value, numberIds })}
          errors={errorsOf('business_number_ids')}
        />
      )}
      <DayField
        label={t('Last day')}
        emptyText={t('Always')}
        value={value.validUntil}
        errors={errorsOf('valid_until')}
        onChange={({ target }) => onChange({ ...value, validUntil: target.value })}
      />
      <Checkbox
        label={t('Assistants use it')}
        checked={value.isActive}
        onChange={(isActive) => onChange({ ...value, isActive })}
      />
    </Fields>
  );
}
