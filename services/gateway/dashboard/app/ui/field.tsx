import { type ComponentProps, type ReactNode, useId } from 'react';
import { sentence } from '../api/api-error.ts';

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** The API's own messages for this field. */
  readonly errors?: readonly string[] | undefined;
}

type ControlProps<Element extends 'input' | 'textarea' | 'select'> = FieldProps & Omit<ComponentProps<Element>, 'id'>;

export function TextField({ label, hint, errors, ...input }: ControlProps<'input'>): ReactNode {
  return (
    <Field label={label} hint={hint} errors={errors}>
      {(described) => <input type="text" autoComplete="off" {...input} {...described} />}
    </Field>
  );
}

export function TextArea({ label, hint, errors, ...area }: ControlProps<'textarea'>): ReactNode {
  return (
    <Field label={label} hint={hint} errors={errors}>
      {(described) => <textarea rows={3} {...area} {...described} />}
    </Field>
  );
}

export function SelectField({ label, hint, errors, ...select }: ControlProps<'select'>): ReactNode {
  return (
    <Field label={label} hint={hint} errors={errors}>
      {(described) => <select {...select} {...described} />}
    </Field>
  );
}

/** A label, a control, a hint and the errors, connected for assistive technology. */
function Field(
  props: FieldProps & {
    children: (described: {
      id: string;
      'aria-describedby': string | undefined;
      'aria-invalid': true | undefined;
    }) => ReactNode;
  },
): ReactNode {
  const id = useId();
  const { label, hint, errors = [] } = props;
  const hintId = hint !== undefined ? `${id}-hint` : undefined;
  const errorId = errors.length > 0 ? `${id}-error` : undefined;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {props.children({
        id,
        'aria-describedby': [errorId, hintId].filter(Boolean).join(' ') || undefined,
        'aria-invalid': errorId ? true : undefined,
      })}
      {errorId && (
        <span className="field-error" id={errorId}>
          {errors.map(sentence).join(' ')}
        </span>
      )}
      {hintId && (
        <span className="hint" id={hintId}>
          {hint}
        </span>
      )}
    </div>
  );
}
