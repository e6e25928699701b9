import type { ReactNode } from 'react';
import { t } from '../i18n/translate.ts';
import { DayField, SelectField } from './field.tsx';
import styles from './period-field.module.css';

interface Days {
  readonly from: string;
  readonly to: string;
}

/** A period above a list: a usual one by its name, or any days. */
export function PeriodField(props: {
  usual: readonly { readonly name: string; readonly text: string }[];
  /** The name of a usual one, or `days`. */
  value: string;
  days: Days;
  /** In place of a day that is not chosen. */
  emptyText?: string;
  onChange: (name: string) => void;
  onChangeDays: (days: Partial<Days>) => void;
}): ReactNode {
  const { usual, value, days, emptyText, onChange, onChangeDays } = props;
  const day = (end: keyof Days, label: string) => (
    <DayField
      label={label}
      hideLabel
      {...(emptyText !== undefined && { emptyText })}
      value={days[end]}
      onChange={({ target }) => onChangeDays({ [end]: target.value })}
    />
  );
  return (
    <>
      <SelectField
        label={t('Period')}
        hideLabel
        look="chip"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      >
        {usual.map(({ name, text }) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
        <option value="days">{t('Choose days …')}</option>
      </SelectField>
      {value === 'days' && (
        <span className={styles['days']}>
          {day('from', t('First day'))}
          <span aria-hidden="true">–</span>
          {day('to', t('Last day'))}
        </span>
      )}
    </>
  );
}
