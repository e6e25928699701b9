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
  /** Green, for *Available for calls* alone. */
  tone?: 'good' | undefined;
}): ReactNode {
  const id = useId();
  return (
    <span className={styles['row']}>
      <label id={`${id}-label`} htmlFor={id} className={classes(props.hideLabel && text['unseen'], styles['label'])}>
        {props.label}
      </label>
      <button
        id={id}
        type="button"
        role="switch"
        className={classes(styles['switch'], props.tone && styles[props.tone])}
        aria-checked={props.checked}
        aria-labelledby={`${id}-label`}
        disabled={props.disabled}
        onClick={() => props.onChange(!props.checked)}
      />
    </span>
  );
}
