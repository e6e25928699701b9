import { type ReactNode, useId } from 'react';

/** Something that is on or off and takes effect at once. */
export function Switch(props: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean | undefined;
  /** The label is for assistive technology only, as in a table with a heading for the column. */
  hideLabel?: boolean | undefined;
  /** For assistive technology, where the label alone is ambiguous. */
  describedBy?: string | undefined;
}): ReactNode {
  const id = useId();
  return (
    <span className="switch">
      <button
        id={id}
        type="button"
        role="switch"
        aria-checked={props.checked}
        aria-labelledby={`${id}-label`}
        aria-describedby={props.describedBy}
        disabled={props.disabled}
        onClick={() => props.onChange(!props.checked)}
      />
      <label id={`${id}-label`} htmlFor={id} className={props.hideLabel ? 'visually-hidden' : undefined}>
        {props.label}
      </label>
    </span>
  );
}
