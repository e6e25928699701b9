import type { ReactNode } from 'react';
import { t } from '../i18n/translate.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { TextField } from '../ui/field.tsx';
import type { Forward } from './call-flow-form.ts';

/** A phone outside the company that rings instead of the team. */
export function ForwardFields(props: {
  forward: Forward;
  onChange: (forward: Forward) => void;
  errorsOf: (field: string) => readonly string[] | undefined;
}): ReactNode {
  const { forward, onChange, errorsOf } = props;
  return (
    <>
      <TextField
        label={t('Phone number')}
        type="tel"
        maxLength={40}
        value={forward.phone_number}
        errors={errorsOf('phone_number')}
        onChange={({ target }) => onChange({ ...forward, phone_number: target.value })}
      />
      <TextField
        label={t('Seconds it rings')}
        type="number"
        inputMode="numeric"
        min={1}
        value={forward.timeout_secs}
        errors={errorsOf('timeout_secs')}
        onChange={({ target }) => onChange({ ...forward, timeout_secs: Number(target.value) })}
      />
      <Checkbox
        label={t('Who answers has to press 1, so that a mailbox does not take the call')}
        checked={forward.confirm}
        onChange={(confirm) => onChange({ ...forward, confirm })}
      />
    </>
  );
}
