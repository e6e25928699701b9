import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { sentence } from '../api/api-error.ts';
import { calendarDate, longDay } from '../i18n/format.ts';
import { t } from '../i18n/translate.ts';
import { classes } from './classes.ts';
import { SMALL } from './icon.ts';
import styles from './field.module.css';
import { ChevronDown, CircleAlert } from './icons/index.ts';
import text from './text.module.css';

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** The API's own messages for this field. */
  readonly errors?: readonly string[] | undefined;
  /** The label is for assistive technology only: what it is for is seen otherwise. */
  readonly hideLabel?: boolean | undefined;
}

type ControlProps<Element extends 'input' | 'textarea' | 'select'> = FieldProps &
  Omit<ComponentProps<Element>, 'id' | 'className'>;

/** `shownAs`: the value in words, in place of the browser's while nobody edits it. */
export function TextField(props: ControlProps<'input'> & { shownAs?: string }): ReactNode {
  const { label, hint, errors, hideLabel, shownAs, ...input } = props;
  return (
    <Field {...{ label, hint, errors, hideLabel }}>
      {(described) => (
        <span className={styles['input-box']}>
          <input type="text" autoComplete="off" {...input} {...described} className={styles['control']} />
          {shownAs !== undefined && (
            <span className={styles['shown-as']} aria-hidden="true">
              {shownAs}
            </span>
          )}
        </span>
      )}
    </Field>
  );
}

/** A day. Browsers write it in their own language, which need not be the page's. */
export function DayField(props: ControlProps<'input'> & { emptyText?: string }): ReactNode {
  const { emptyText = t('Choose a day'), onChange, ...field } = props;
  const [typed, setTyped] = useState('');
  const value = String(props.value ?? typed);
  return (
    <TextField
      {...field}
      type="date"
      shownAs={value === '' ? emptyText : calendarDate(value)}
      onChange={(event) => {
        setTyped(event.target.value);
        onChange?.(event);
      }}
    />
  );
}

/** A day and a time (`2026-03-29T14:30`), for the same reason. */
export function MomentField(
  props: Omit<ControlProps<'input'>, 'value'> & { value: string; emptyText?: string },
): ReactNode {
  const { emptyText = t('Choose a time'), value, ...field } = props;
  const shownAs = value === '' ? emptyText : `${longDay(value.slice(0, 10))}, ${value.slice(11, 16)}`;
  return <TextField {...field} type="datetime-local" value={value} shownAs={shownAs} />;
}

export function TextArea(props: ControlProps<'textarea'>): ReactNode {
  const { label, hint, errors, hideLabel, ...area } = props;
  return (
    <Field {...{ label, hint, errors, hideLabel }}>
      {(described) => (
        <textarea rows={3} {...area} {...described} className={classes(styles['control'], styles['area'])} />
      )}
    </Field>
  );
}

/**
 * The browser's own choice, drawn by us while it is closed: its list is what a phone shows best, and its keys are the usual ones. From
 * eight options on use `Choice`, which searches.
 */
export function SelectField(props: ControlProps<'select'> & { look?: 'field' | 'quiet' | 'chip' }): ReactNode {
  const { label, hint, errors, hideLabel, look = 'field', ...select } = props;
  return (
    <Field {...{ label, hint, errors, hideLabel }}>
      {(described) => (
        <span className={classes(styles['select-box'], styles[`${look}-box`])}>
          <select {...select} {...described} className={classes(styles['control'], styles['select'], styles[look])} />
          <ChevronDown {...SMALL} />
        </span>
      )}
    </Field>
  );
}

interface Described {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

/** A label, a control, a hint and the errors, connected for assistive technology. */
function Field(props: FieldProps & { children: (described: Described) => ReactNode }): ReactNode {
  const id = useId();
  const { label, hint, errors = [], hideLabel } = props;
  const hintId = hint !== undefined ? `${id}-hint` : undefined;
  const errorId = errors.length > 0 ? `${id}-error` : undefined;
  return (
    <div className={styles['field']}>
      <label htmlFor={id} className={hideLabel ? text['unseen'] : styles['label']}>
        {label}
      </label>
      {props.children({
        id,
        'aria-describedby': [errorId, hintId].filter(Boolean).join(' ') || undefined,
        'aria-invalid': errorId ? true : undefined,
      })}
      {errorId && (
        <span className={styles['error']} id={errorId} data-field-error>
          <CircleAlert {...SMALL} />
          {errors.map(sentence).join(' ')}
        </span>
      )}
      {hintId && (
        <span className={styles['hint']} id={hintId}>
          {hint}
        </span>
      )}
    </div>
  );
}
