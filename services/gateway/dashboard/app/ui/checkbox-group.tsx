import { type ReactNode, useId, useState } from 'react';
import { sentence } from '../api/api-error.ts';
import { t } from '../i18n/translate.ts';
import checkbox from './checkbox.module.css';
import styles from './form.module.css';
import { SearchField } from './search-field.tsx';
import text from './text.module.css';
import { type ChoiceOption, visibleOptions } from './visible-options.ts';

/** From this many on, the options can be searched. */
const SEARCHABLE_MIN = 20;

/** A choice of any number of options; what is added comes last. */
export function CheckboxGroup(props: {
  label: string;
  options: readonly ChoiceOption[];
  selected: readonly string[];
  onChange: (selected: readonly string[]) => void;
  /** The API's own messages for this field. */
  errors?: readonly string[] | undefined;
}): ReactNode {
  const { options, selected, onChange, errors = [] } = props;
  const id = useId();
  const [words, setWords] = useState('');
  const { shown, hidden } = visibleOptions(options, selected, words);
  const invalid = errors.length > 0;
  return (
    <fieldset aria-describedby={invalid ? `${id}-error` : undefined}>
      <legend className={styles['legend']}>{props.label}</legend>
      {options.length >= SEARCHABLE_MIN && (
        // A search is not a reason to send the form.
        <div
          role="presentation"
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.preventDefault();
          }}
        >
          <SearchField
            label={t('Search {what}', { what: props.label.toLowerCase() })}
            value={words}
            onChange={setWords}
          />
        </div>
      )}
      <div className={styles['options']}>
        {shown.map(({ value, label, detail }) => (
          <label key={value} className={checkbox['option']}>
            <input
              type="checkbox"
              checked={selected.includes(value)}
              aria-invalid={invalid || undefined}
              aria-labelledby={`${id}-${value}`}
              aria-describedby={detail && `${id}-${value}-detail`}
              onChange={({ target }) =>
                onChange(target.checked ? [...selected, value] : selected.filter((one) => one !== value))
              }
            />
            <span className={styles['words']}>
              <span id={`${id}-${value}`}>{label}</span>
              {detail && (
                <span className={styles['detail']} id={`${id}-${value}-detail`} title={detail}>
                  {detail}
                </span>
              )}
            </span>
          </label>
        ))}
        {hidden > 0 && <p className={text['meta']}>{t('{count} more: search for them.', { count: hidden })}</p>}
        {shown.length === 0 && <p className={text['meta']}>{t('Nothing to choose.')}</p>}
      </div>
      {invalid && (
        <span className={styles['error']} data-field-error id={`${id}-error`}>
          {errors.map(sentence).join(' ')}
        </span>
      )}
    </fieldset>
  );
}
