import { type ReactNode, useId } from 'react';
import { classes } from './classes.ts';
import styles from './switch.module.css';
import text from './text.module.css';

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
  /** Green, for *Available for calls* alone. */
  tone?: 'good' | undefined;
  /** Another text that is seen beside it, such as a state; the label stays its name. */
  children?: ReactNode;
}): ReactNode {
  const id = useId();
  return (
    <span className={styles['row']}>
      <label id={`${id}-label`} htmlFor={id} className={classes(props.hideLabel && text['unseen'], styles['label'])}>
        {props.label}
      </label>
      {props.children}
      <button
        id={id}
        type="button"
        role="switch"
        className={classes(styles['switch'], props.tone && styles[props.tone])}
        aria-checked={props.checked}
        aria-labelledby={`${id}-label`}
        aria-describedby={props.describedBy}
        disabled={props.disabled}
        onClick={() => props.onChange(!props.checked)}
      />
    </span>
  );
}
